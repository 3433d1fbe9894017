// Tables of NWB files: groups whose datasets are columns with one value per row, or several per row where a
// second dataset NAME_index says where the values of each row end.
//
// Everything is recognised by names and shapes. The attributes that say the same are texts of variable
// length, which HDF5 cannot read safely from a damaged file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hdf5/hdf5.hpp"
#include "milcci/read.hpp"

namespace milcci::read {

/// A column with any number of values per row: those of row r are offsets[r] up to, not including,
/// offsets[r + 1].
struct Ragged {
  std::vector<double> values;
  std::vector<std::size_t> offsets;

  std::size_t n_rows() const { return offsets.size() - 1; }
};

/// Reads `name` and `name`_index. A value may be `width` numbers, which then follow one another; offsets
/// count values. Throws Error(bad_file) if either is not there, the index decreases or does not end where the
/// values do.
Ragged read_ragged(const hdf5::Group& table, const std::string& name, std::size_t width = 1);

/// The group of this path, step by step from `root`; nothing if there is none.
std::optional<hdf5::Group> find_group(const hdf5::Group& root, const std::string& path);

/// A table of time intervals with its number of rows.
struct TrialTable {
  hdf5::Group group;
  std::string path;
  std::size_t n_rows = 0;
};

/// The table that `options.table` names; else /intervals/trials, or the only one in /intervals. Throws with a
/// list of what there is.
TrialTable open_trial_table(const std::string& path, const hdf5::Group& root, const ReadOptions& options);

/// Every table in /intervals with its rows and columns, and whether `open_trial_table` can choose without
/// being told.
struct TableNames {
  std::vector<std::string> lines;
  bool is_decided = false;
};
TableNames list_tables(const hdf5::Group& root);

/// The ids of these rows, or nothing if the table has none that are integers.
std::vector<std::string> row_names(const TrialTable& table, const std::vector<std::size_t>& rows);

/// The columns of the table that can be labels: one number or text per row. Only those in `rows`.
std::vector<LabelColumn> table_labels(const std::string& path, const TrialTable& table,
                                      const ReadOptions& options, const std::vector<std::size_t>& rows,
                                      std::vector<std::string>& notes);

}  // namespace milcci::read
