// Which pages and which trials: not every page was viewed in every way.
#pragma once

#include <cstddef>
#include <vector>

namespace milcci::recipes {

/// Rows and columns of a table that have every cell between them.
struct Block {
  std::vector<std::size_t> rows, columns;
};

/// A block with many cells, found greedily: from each column on, the column that leaves most rows is added.
/// Best is the one with the largest (columns - 1) x rows, since one trial alone tells of no change; with
/// equal scores the one with more rows.
Block large_block(const std::vector<std::vector<bool>>& has);

}  // namespace milcci::recipes
