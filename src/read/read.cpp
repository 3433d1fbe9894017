// One entry point for all formats.
#include "milcci/read.hpp"

#include <fmt/format.h>

#include <map>
#include <numeric>

#include "core/select_trials.hpp"
#include "milcci/error.hpp"
#include "milcci/files.hpp"
#include "read/arrays/array_trials.hpp"
#include "read/arrays/arrays.hpp"
#include "read/errors.hpp"
#include "read/nwb/read_nwb.hpp"
#include "read/read_step.hpp"
#include "read/select_channels.hpp"
#include "read/tables/label_table.hpp"
#include "read/tables/read_table.hpp"
#include "read/text/check_texts.hpp"

namespace milcci {

namespace {

ReadResult read_values(const std::string& path, const ReadOptions& options) {
  const FileFormat format = file_format(path);
  read::refuse_options_of_others(path, format, options);
  switch (format) {
    case FileFormat::trials_file:
      return {read_trials(path, options.threads), {}};
    case FileFormat::model_file:
      read::fail(path, "is a model file, must be trials; give the recording that was fitted");
    case FileFormat::npy:
      return read::read_arrays(path, "NPY", *read::open_npy(path), options);
    case FileFormat::npz:
      return read::read_arrays(path, "NPZ", *read::open_npz(path), options);
    case FileFormat::mat5:
      return read::read_arrays(path, "MATLAB file of version 5", *read::open_mat5(path), options);
    case FileFormat::mat73:
      return read::read_arrays(path, "MATLAB file of version 7.3", *read::open_mat73(path), options);
    case FileFormat::nwb:
      return read::read_nwb(path, options);
    case FileFormat::hdf5:
      return read::read_arrays(path, "HDF5", *read::open_hdf5(path), options);
    case FileFormat::table:
      return read::read_table(path, options);
  }
  read::fail(path, "is of no known format");
}

// One rule for all formats: two channels of one name could not be told apart in anything that is said of
// them.
void check_channel_names(const std::string& path, const Trials& trials) {
  std::map<std::string, std::size_t> positions;
  for (std::size_t n = 0; n < trials.channel_names.size(); ++n) {
    const auto [earlier, is_new] = positions.emplace(trials.channel_names[n], n);
    if (!is_new)
      read::fail(path, fmt::format("channels {} and {} are both named {}, must differ", earlier->second + 1,
                                   n + 1, read::shown(trials.channel_names[n])));
  }
}

void keep_first(std::size_t n_wanted, ReadResult& result) {
  const std::size_t n_all = result.trials.n_trials();
  if (n_all <= n_wanted) return;
  std::vector<std::size_t> kept(n_wanted);
  std::iota(kept.begin(), kept.end(), std::size_t{0});
  select_trials(result.trials, kept);
  result.notes.push_back(fmt::format("only the first {} of {} trials", n_wanted, n_all));
}

}  // namespace

ReadResult read_data(const std::string& path, const ReadOptions& options) {
  validate(options);
  ReadResult result = read_values(path, options);
  read::check_texts(path, result.trials);
  check_channel_names(path, result.trials);
  read::mark_missing(options, result);
  read::select_channels(options, result);
  if (options.first_trials) keep_first(static_cast<std::size_t>(*options.first_trials), result);
  if (!options.labels.empty()) {
    read::join_labels(options, result);
    read::check_texts(options.labels, result.trials);
  }
  if (!result.notes.empty()) read::add_read_step(path, options, result);
  return result;
}

}  // namespace milcci
