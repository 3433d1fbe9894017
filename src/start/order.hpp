// The order of a category's components under each of its options, found along the label graph.
#pragma once

#include <functional>
#include <vector>

#include "loop/state.hpp"

namespace milcci {

/// New component j is the old `from[j]` times `sign[j]`.
struct Order {
  std::vector<Index> from;
  Vector sign;

  explicit Order(Index n_components);
  bool is_trivial() const;
  Matrix of_columns(const Matrix& columns) const;
  /// This order, and then another one of what it made.
  void then(const Order& next);
};

/// The order of one option's columns that suits the target best. The target is the weighted sum of
/// the columns under the options it is tied to, `weight` the sum of their weights. No weight means
/// that there is nothing to suit.
using BestOrder = std::function<Order(const Matrix& target, double weight, const Matrix& columns)>;

/// The order of the components under every option. `columns` holds what tells them apart, a column
/// per component: their memberships, or their mean traces. The order is left as it is unless
///   sum_(i, i') w(i, i') sum_j columns_j(i)' columns_j(i')
/// becomes larger.
std::vector<Order> order_along_graph(const LabelGraph& ties, std::vector<Matrix> columns,
                                     const BestOrder& best);

/// Puts components of category k, their traces and transitions into the order. Returns whether any
/// option's changes. Nothing in F does but the consistency term.
bool carry_out(const Design& design, std::size_t k, const std::vector<Order>& orders, State& state);

}  // namespace milcci
