// A table of labels beside a recording: one row per trial.
#pragma once

#include <string>

#include "milcci/read.hpp"

namespace milcci::read {

/// Adds the labels of the table `options.labels` to the trials. Rows are found by the trial's name where a
/// label column of the trials and a column of the table have the same name and it is --trial or a usual name
/// for trials; else they must be as many as the trials and in their order. Throws Error(bad_file) with both
/// places if they do not fit together.
void join_labels(const ReadOptions& options, ReadResult& result);

}  // namespace milcci::read
