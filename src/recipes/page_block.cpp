#include "recipes/page_block.hpp"

#include <algorithm>
#include <utility>

namespace milcci::recipes {
namespace {

std::vector<std::size_t> rows_with(const std::vector<std::vector<bool>>& has,
                                   const std::vector<std::size_t>& rows, std::size_t column) {
  std::vector<std::size_t> out;
  for (const std::size_t row : rows)
    if (has[row][column]) out.push_back(row);
  return out;
}

std::pair<std::size_t, std::size_t> score(const Block& block) {
  return {(block.columns.size() - 1) * block.rows.size(), block.rows.size()};
}

}  // namespace

Block large_block(const std::vector<std::vector<bool>>& has) {
  std::vector<std::size_t> all(has.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  const std::size_t n_columns = has.empty() ? 0 : has.front().size();
  Block best;
  for (std::size_t start = 0; start < n_columns; ++start) {
    Block block{rows_with(has, all, start), {start}};
    std::vector<bool> is_used(n_columns, false);
    is_used[start] = true;
    while (!block.rows.empty()) {
      if (best.columns.empty() || score(block) > score(best)) best = block;
      std::vector<std::size_t> most;
      std::size_t next = n_columns;
      for (std::size_t column = 0; column < n_columns; ++column) {
        if (is_used[column]) continue;
        std::vector<std::size_t> rows = rows_with(has, block.rows, column);
        if (rows.size() > most.size()) most = std::move(rows), next = column;
      }
      if (next == n_columns) break;
      is_used[next] = true;
      block.columns.push_back(next);
      block.rows = std::move(most);
    }
  }
  std::sort(best.columns.begin(), best.columns.end());
  return best;
}

}  // namespace milcci::recipes
