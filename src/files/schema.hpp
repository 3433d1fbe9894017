// What the trials file and the model file have in common (docs/file-formats.md).
#pragma once

#include <string>
#include <vector>

#include "hdf5/hdf5.hpp"
#include "milcci/files.hpp"
#include "milcci/types.hpp"

namespace milcci::files {

/// Newest version of a format, which is the one that is written. Raise it when an old program could not read
/// a new file, or would misread it. Models: 2 has `transform` for `tanh`, graphs as lists, and decorrelation
/// per pair of traces; 3 has alternatives, the certainty of components, and new options of the search.
std::int64_t newest_version(FileKind kind);

void write_header(hdf5::Group& root, FileKind kind);
FileKind read_header(const hdf5::Group& root);
/// The version of the file. Throws if it is of the other kind.
std::int64_t check_header(const hdf5::Group& root, FileKind expected);

/// First row of every trial in values that hold all trials one after the other, and the total at the end.
using Offsets = std::vector<std::size_t>;

Offsets offsets_of(const std::vector<Matrix>& per_trial);
/// Dataset `trial_offset`.
void write_offsets(hdf5::Group& group, const Offsets& offsets);
Offsets read_offsets(const hdf5::Group& group);

/// Tells xarray which variables beside the dimensions' own are coordinates of `name`: those that exist.
void write_coordinates(hdf5::Group& group, const std::string& name,
                       const std::vector<std::string>& candidates);

/// Matrices (columns are samples) of all trials one after the other as `name`, dimensions sample x columns.
void write_trial_rows(hdf5::Group& group, const std::string& name, const std::vector<Matrix>& per_trial,
                      const hdf5::Scales& scales);
/// `n_columns` may be hdf5::kAny. 0 threads = all cores.
std::vector<Matrix> read_trial_rows(const hdf5::Group& group, const std::string& name, const Offsets& offsets,
                                    std::size_t n_columns, int threads = 0);

/// Optional dataset `time`, one value per sample.
void write_times(hdf5::Group& group, const std::vector<Vector>& times, const hdf5::Scale& sample);
std::vector<Vector> read_times(const hdf5::Group& group, const Offsets& offsets);

/// Channel names and groups, as trials and models have them; groups may be empty.
struct Channels {
  const std::vector<std::string>& names;
  const std::vector<std::string>& groups;
};
/// Datasets `channel` and, where there are groups, `channel_group`.
hdf5::Scale write_channels(hdf5::Group& group, const Channels& channels);
std::vector<std::string> read_channel_groups(const hdf5::Group& group, std::size_t n_channels);

/// A dataset per label column in a group of their own.
void write_labels(hdf5::Group labels, const std::vector<LabelColumn>& columns, const hdf5::Scale& trial);
std::vector<LabelColumn> read_labels(const hdf5::Group& labels, std::size_t n_trials);

/// Optional datasets `trial_name` and `history`.
void write_trial_names(hdf5::Group& group, const std::vector<std::string>& names, const hdf5::Scale& trial);
std::vector<std::string> read_trial_names(const hdf5::Group& group, std::size_t n_trials);
void write_history(hdf5::Group& group, const std::vector<std::string>& history);
std::vector<std::string> read_history(const hdf5::Group& group);

/// Variants of one category as `name` (option x component x channel) with their coordinates.
struct VariantScales {
  hdf5::Scale option, component;
};
VariantScales write_variants(hdf5::Group& group, const std::string& name,
                             const std::vector<std::string>& options, const std::vector<Matrix>& variants,
                             const Channels& channels);
std::vector<Matrix> read_variants(const hdf5::Group& group, const std::string& name, std::size_t n_options,
                                  std::size_t n_channels);

/// `component` 0 ... P - 1 and, as `category`, whose each one is.
hdf5::Scale write_component_places(hdf5::Group& group, const std::vector<std::string>& category_names,
                                   const std::vector<std::size_t>& n_components);

/// Optional dataset `transitions` (trial x component x from_component), one matrix per trial.
void write_transitions(hdf5::Group& traces, const std::vector<Matrix>& transitions, const hdf5::Scale& trial,
                       const hdf5::Scale& component);
std::vector<Matrix> read_transitions(const hdf5::Group& traces, std::size_t n_trials,
                                     std::size_t n_components);

/// 0 ... n - 1 as the coordinates of a dimension.
hdf5::Scale write_count(hdf5::Group& group, const std::string& name, std::size_t n);

/// A group for one category, under a name the file can hold; `position` keeps the order.
hdf5::Group create_titled_group(hdf5::Group& parent, const std::string& title, std::size_t position);

/// Throws Error(bad_input) for what cannot be written to `path`.
[[noreturn]] void refuse(const std::string& path, const std::string& reason);

}  // namespace milcci::files
