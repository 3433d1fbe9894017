// The two files of the project (docs/file-formats.md): trials in, models out. Both HDF5, versioned, and
// written under a temporary name first, so that a crash never leaves half a file.
#pragma once

#include <string>

#include "milcci/model.hpp"
#include "milcci/trial_source.hpp"
#include "milcci/trials.hpp"

namespace milcci {

enum class Overwrite { no, yes };

/// Throw Error(bad_file) if the file is not there, not HDF5, not ours, truncated or inconsistent. 0 threads =
/// all cores.
Trials read_trials(const std::string& path, int threads = 0);
FitResult read_model(const std::string& path);

/// Throw Error(bad_file) if the file exists (with Overwrite::no), or cannot be written; then nothing is left
/// behind.
void write_trials(const std::string& path, const Trials& trials, Overwrite overwrite = Overwrite::no);
void write_model(const std::string& path, const FitResult& result, Overwrite overwrite = Overwrite::no);

enum class FileKind { trials, model };
/// What an HDF5 file is, by its own word.
FileKind file_kind(const std::string& path);

/// Throws what `write_*` would throw for an existing or unwritable path. Call before long work.
void check_writable(const std::string& path, Overwrite overwrite);

/// A 64-bit hash of values, labels and channel names as 16 hex digits.
std::string fingerprint(const TrialSource& trials, int threads = 0);

}  // namespace milcci
