// What all verbs that take a recording have in common: flags that say how to read it, and the reading.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "console.hpp"
#include "milcci/fit.hpp"
#include "milcci/recipes.hpp"

namespace milcci::cli {

inline constexpr const char* kRecordingHelp =
    "recording: a trials file, or CSV, NPY, NPZ, MAT, NWB or HDF5 (docs/file-formats.md)";

/// The flags of `ReadOptions`, in a group of their own.
void add_reading(CLI::App& parser, ReadOptions& options);

/// Reads, and says what was understood.
ReadResult read_recording(const std::string& path, const ReadOptions& options, const Console& console,
                          Recipe recipe = Recipe::none);

/// Reads trials for a model, does to them what the fit did to its own (`prepare_as_fitted`), and says so.
Trials read_for_model(const std::string& path, const ReadOptions& options, const FitResult& fitted,
                      const Console& console);

/// Warns if these are not the trials whose traces the model has, or not in their order.
void warn_of_other_trials(const FitResult& fitted, const TrialSource& trials, const Console& console);

}  // namespace milcci::cli
