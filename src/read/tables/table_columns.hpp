// What the columns of a table are: named by the options, or recognised by their names and first
// rows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "milcci/read.hpp"

namespace milcci::read {

using Position = std::size_t;
using Positions = std::vector<Position>;

struct TableColumns {
  char separator = ',';
  Layout layout = Layout::automatic;
  std::vector<std::string> names;  ///< as in the header, all of them
  Positions trial;
  std::optional<Position> channel, channel_group, time, value;
  Positions labels;           ///< beside the trial columns
  Positions values;           ///< wide: the channels; series: the time points, in order of time
  std::vector<double> times;  ///< series: of those time points

  std::string names_at(const Positions& positions) const;
};

/// Throws Error(bad_file) if the header is no header or the columns needed are neither named nor recognised,
/// and Error(bad_option) if a column that was named is not there.
TableColumns table_columns(const std::string& path, const ReadOptions& options,
                           std::vector<std::string>& notes);

}  // namespace milcci::read
