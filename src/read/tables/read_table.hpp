// Tables (CSV, also with semicolons or tabs, also packed with gzip) in their three layouts.
#pragma once

#include <string>

#include "milcci/read.hpp"
#include "read/tables/table_columns.hpp"

namespace milcci::read {

/// Throws as `read_data`. The table of labels is not read here.
ReadResult read_table(const std::string& path, const ReadOptions& options);

// One function per layout; `result` has the notes so far.
void read_long_table(const std::string& path, const TableColumns& columns, Absent absent, ReadResult& result);
void read_wide_table(const std::string& path, const TableColumns& columns, ReadResult& result);
void read_series_table(const std::string& path, const TableColumns& columns, ReadResult& result);

}  // namespace milcci::read
