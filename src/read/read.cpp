// One door for all formats.
#include "milcci/read.hpp"

#include <fmt/format.h>

#include "milcci/error.hpp"
#include "milcci/files.hpp"
#include "read/array_trials.hpp"
#include "read/arrays.hpp"
#include "read/check_texts.hpp"
#include "read/complain.hpp"
#include "read/label_table.hpp"
#include "read/read_table.hpp"

namespace milcci {

namespace {

ReadResult read_values(const std::string& path, const ReadOptions& options) {
  switch (file_format(path)) {
    case FileFormat::trials_file:
      return {read_trials(path), {}};
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
    case FileFormat::hdf5:
      return read::read_arrays(path, "HDF5", *read::open_hdf5(path), options);
    case FileFormat::table:
      return read::read_table(path, options);
  }
  read::fail(path, "is of no known format");
}

}  // namespace

ReadResult read_data(const std::string& path, const ReadOptions& options) {
  validate(options);
  ReadResult result = read_values(path, options);
  read::check_texts(path, result.trials);
  if (!options.labels.empty()) {
    read::join_labels(options, result);
    read::check_texts(options.labels, result.trials);
  }
  return result;
}

}  // namespace milcci
