// Expectations on the library's exception: its kind, and words its message must have.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "milcci/error.hpp"

namespace milcci::testing {

template <class Action>
void expect_error(ErrorKind kind, const std::vector<std::string>& words, Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    for (const std::string& word : words)
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos)
          << "\"" << word << "\" is not in: " << error.what();
    return;
  }
  ADD_FAILURE() << "no milcci::Error was thrown";
}

}  // namespace milcci::testing
