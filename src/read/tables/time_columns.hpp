// Columns that are named by a time, as in tables of layout series.
#pragma once

#include <string>
#include <vector>

#include "read/tables/table_columns.hpp"

namespace milcci::read {

struct TimeColumns {
  Positions positions;
  std::vector<double> times;  ///< NaN where a name may be two numbers: 1,500
};

/// Those of the candidates whose name is a time: 0.25, 0,25, 2016-01-31; or, where there are not two of them,
/// those named by the same word and a number: t1, t2, t3. At least two, or none.
TimeColumns time_columns(const std::vector<std::string>& names, const Positions& candidates);

/// In order of time. Throws Error(bad_file) if two are the same time, or one may be two numbers.
TimeColumns sorted_by_time(const std::string& path, const std::vector<std::string>& names,
                           const TimeColumns& columns);

}  // namespace milcci::read
