#include "start/align.hpp"

#include "solvers/assignment.hpp"
#include "start/order.hpp"

namespace milcci {
namespace {

// The order of an option's components that agrees best with the target.
Order best_order(const Matrix& target, const Matrix& variant, bool may_flip) {
  const Matrix product = target.transpose() * variant;
  Order order(product.rows());
  order.from = assign(may_flip ? Matrix(-product.cwiseAbs()) : Matrix(-product));
  for (Index j = 0; j < product.rows(); ++j)
    if (may_flip && product(j, order.from[static_cast<std::size_t>(j)]) < 0) order.sign(j) = -1.0;
  return order;
}

}  // namespace

bool align_variants(const Design& design, bool may_flip, State& state) {
  const auto best = [&](const Matrix& target, double, const Matrix& variant) {
    return best_order(target, variant, may_flip);
  };
  bool has_changed = false;
  for (std::size_t k = 0; k < design.n_categories(); ++k) {
    if (design.n_options(k) < 2) continue;
    const std::vector<Order> orders = order_along_graph(design.ties[k], state.components[k], best);
    has_changed |= carry_out(design, k, orders, state);
  }
  return has_changed;
}

}  // namespace milcci
