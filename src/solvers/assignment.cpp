// Optimal assignment by shortest augmenting paths: rows enter one after the other, each by the cheapest
// chain of re-assignments, which a Dijkstra search over the columns finds.
#include "solvers/assignment.hpp"

#include <algorithm>
#include <limits>

namespace milcci {
namespace {

// Primal: the matching. Dual: prices u (rows) and v (columns) with cost(r, c) - u(r) - v(c) >= 0 everywhere
// and = 0 on matched pairs, v <= 0 and = 0 on free columns; together they prove optimality after every row.
// Needs rows <= columns. One row costs O(rows * columns).
std::vector<Index> assign_every_row(const Matrix& cost) {
  constexpr Index kNone = -1;
  const Index n_rows = cost.rows(), n_columns = cost.cols();
  Vector u = Vector::Zero(n_rows), v = Vector::Zero(n_columns);
  std::vector<Index> row_of(static_cast<std::size_t>(n_columns), kNone);
  std::vector<Index> column_of(static_cast<std::size_t>(n_rows), kNone);
  const auto matched_row = [&](Index c) -> Index& { return row_of[static_cast<std::size_t>(c)]; };
  const auto matched_column = [&](Index r) -> Index& { return column_of[static_cast<std::size_t>(r)]; };

  Vector distance(n_columns);                                         // length of the shortest path found
  std::vector<Index> came_from(static_cast<std::size_t>(n_columns));  // the row before a column on it
  std::vector<char> is_settled(static_cast<std::size_t>(n_columns));
  for (Index start = 0; start < n_rows; ++start) {
    distance.setConstant(std::numeric_limits<double>::infinity());
    std::fill(is_settled.begin(), is_settled.end(), char{0});
    Index row = start, end = kNone;
    double length = 0;
    while (end == kNone) {
      Index nearest = kNone;
      for (Index c = 0; c < n_columns; ++c) {
        if (is_settled[static_cast<std::size_t>(c)]) continue;
        const double through_row = length + cost(row, c) - u(row) - v(c);
        if (through_row < distance(c)) {
          distance(c) = through_row;
          came_from[static_cast<std::size_t>(c)] = row;
        }
        // Among equally near columns a free one ends the search at once.
        if (nearest == kNone || distance(c) < distance(nearest) ||
            (distance(c) == distance(nearest) && matched_row(c) == kNone && matched_row(nearest) != kNone))
          nearest = c;
      }
      length = distance(nearest);
      is_settled[static_cast<std::size_t>(nearest)] = 1;
      if (matched_row(nearest) == kNone)
        end = nearest;
      else
        row = matched_row(nearest);
    }
    // Prices move so that the whole path becomes tight; `end` itself settles at length, so v(end) stays.
    u(start) += length;
    for (Index c = 0; c < n_columns; ++c) {
      if (!is_settled[static_cast<std::size_t>(c)] || c == end) continue;
      u(matched_row(c)) += length - distance(c);
      v(c) -= length - distance(c);
    }
    for (Index c = end; c != kNone;) {
      const Index r = came_from[static_cast<std::size_t>(c)];
      const Index given_up = matched_column(r);  // none for `start`, where the path ends
      matched_row(c) = r;
      matched_column(r) = c;
      c = given_up;
    }
  }
  return column_of;
}

}  // namespace

std::vector<Index> assign(const Matrix& cost) {
  if (cost.rows() <= cost.cols()) return assign_every_row(cost);
  const std::vector<Index> row_of_column = assign_every_row(cost.transpose());
  std::vector<Index> column_of_row(static_cast<std::size_t>(cost.rows()), -1);
  for (std::size_t c = 0; c < row_of_column.size(); ++c)
    column_of_row[static_cast<std::size_t>(row_of_column[c])] = static_cast<Index>(c);
  return column_of_row;
}

}  // namespace milcci
