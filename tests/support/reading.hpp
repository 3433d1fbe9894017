// Reads texts as if they were files.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "milcci/read.hpp"
#include "support/expect_error.hpp"
#include "support/temporary_directory.hpp"

namespace milcci::testing {

inline ReadResult read_text(const std::string& text, const ReadOptions& options = {}) {
  const TemporaryDirectory folder;
  return read_data(folder.write("table.csv", text), options);
}

/// Expects that a table is refused, with these words in the message.
inline void expect_refused(const std::string& text, const std::vector<std::string>& words,
                           const ReadOptions& options = {}, ErrorKind kind = ErrorKind::bad_file) {
  expect_error(kind, words, [&] { read_text(text, options); });
}

inline std::vector<std::string> label_texts(const Trials& trials, const std::string& name) {
  std::vector<std::string> texts;
  const LabelColumn* column = trials.find_label(name);
  for (std::size_t m = 0; column && m < column->size(); ++m) texts.push_back(column->text(m));
  return texts;
}

inline std::string all_notes(const ReadResult& result) {
  std::string text;
  for (const std::string& note : result.notes) text += note + "\n";
  return text;
}

}  // namespace milcci::testing
