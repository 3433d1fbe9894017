#include "start/align.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "solvers/assignment.hpp"

namespace milcci {
namespace {

using Neighbours = std::vector<std::vector<Design::Neighbour>>;

// Twice the consistency term falls by this sum, as exchanges keep all lengths.
double agreement(const Neighbours& neighbours, const std::vector<Matrix>& variants) {
  double sum = 0.0;
  for (std::size_t i = 0; i < variants.size(); ++i)
    for (const Design::Neighbour& other : neighbours[i])
      sum += other.weight * variants[i].cwiseProduct(variants[static_cast<std::size_t>(other.option)]).sum();
  return sum;
}

// Every option after those it is tied to most.
std::vector<std::size_t> along_the_graph(const Neighbours& neighbours) {
  const std::size_t n_options = neighbours.size();
  std::vector<double> tie(n_options, 0.0);
  std::vector<char> is_placed(n_options, 0);
  std::vector<std::size_t> order;
  while (order.size() < n_options) {
    std::size_t next = n_options;
    for (std::size_t i = 0; i < n_options; ++i)
      if (!is_placed[i] && (next == n_options || tie[i] > tie[next])) next = i;
    is_placed[next] = 1;
    order.push_back(next);
    for (const Design::Neighbour& other : neighbours[next])
      tie[static_cast<std::size_t>(other.option)] += other.weight;
  }
  return order;
}

// New component j is the old `from[j]` times `sign[j]`.
struct Order {
  std::vector<Index> from;
  Vector sign;

  explicit Order(Index p) : from(static_cast<std::size_t>(p)), sign(Vector::Ones(p)) {
    std::iota(from.begin(), from.end(), Index{0});
  }
  bool is_trivial() const { return std::is_sorted(from.begin(), from.end()) && (sign.array() > 0).all(); }
  Matrix of_columns(const Matrix& columns) const { return columns(Eigen::all, from) * sign.asDiagonal(); }
  void then(const Order& next) {
    const Order old = *this;
    for (std::size_t j = 0; j < from.size(); ++j) from[j] = old.from[static_cast<std::size_t>(next.from[j])];
    sign = next.sign.cwiseProduct(old.sign(next.from));
  }
};

// The order of option i's components that agrees best with its neighbours among `is_known`.
Order best_order(const Neighbours& neighbours, const std::vector<Matrix>& variants,
                 const std::vector<char>& is_known, bool may_flip, std::size_t i) {
  Matrix target = Matrix::Zero(variants[i].rows(), variants[i].cols());
  for (const Design::Neighbour& other : neighbours[i]) {
    const auto o = static_cast<std::size_t>(other.option);
    if (is_known[o]) target += other.weight * variants[o];
  }
  const Matrix product = target.transpose() * variants[i];
  Order order(product.rows());
  order.from = assign(may_flip ? Matrix(-product.cwiseAbs()) : Matrix(-product));
  for (Index j = 0; j < product.rows(); ++j)
    if (may_flip && product(j, order.from[static_cast<std::size_t>(j)]) < 0) order.sign(j) = -1.0;
  return order;
}

// The order of the components under every option.
std::vector<Order> align_category(const Neighbours& neighbours, bool may_flip, std::vector<Matrix> variants) {
  constexpr int kMaxRounds = 10;
  constexpr double kClearly = 1e-9;
  const std::vector<Order> as_is(variants.size(), Order(variants[0].cols()));
  std::vector<Order> order = as_is;
  std::vector<char> is_known(variants.size(), 0);
  const double before = agreement(neighbours, variants);
  // The first round follows the graph from option to option, so that a trade that begins at one option and
  // lasts to the end is undone as a whole.
  bool has_changed = true;
  for (int round = 0; round < kMaxRounds && has_changed; ++round) {
    has_changed = false;
    for (const std::size_t i : along_the_graph(neighbours)) {
      const Order better = best_order(neighbours, variants, is_known, may_flip, i);
      is_known[i] = 1;
      if (better.is_trivial()) continue;
      variants[i] = better.of_columns(variants[i]);
      order[i].then(better);
      has_changed = true;
    }
  }
  const bool is_better = agreement(neighbours, variants) > before + kClearly * std::abs(before);
  return is_better ? order : as_is;
}

}  // namespace

bool align_variants(const Design& design, bool may_flip, State& state) {
  bool has_changed = false;
  for (std::size_t k = 0; k < design.n_categories(); ++k) {
    if (design.n_options(k) < 2) continue;
    const std::vector<Order> orders = align_category(design.neighbours[k], may_flip, state.components[k]);
    for (std::size_t i = 0; i < orders.size(); ++i) {
      if (orders[i].is_trivial()) continue;
      has_changed = true;
      state.components[k][i] = orders[i].of_columns(state.components[k][i]);
    }
    for (std::size_t m = 0; m < state.traces.size(); ++m) {
      const std::vector<int>& label = design.labels[static_cast<std::size_t>(design.label_of_trial[m])];
      const Order& order = orders[static_cast<std::size_t>(label[k])];
      if (order.is_trivial()) continue;
      Order all(design.n_components());
      for (std::size_t j = 0; j < order.from.size(); ++j)
        all.from[static_cast<std::size_t>(design.first[k]) + j] = design.first[k] + order.from[j];
      all.sign.segment(design.first[k], design.n_components(k)) = order.sign;
      state.traces[m] = all.of_columns(state.traces[m]);
      if (state.transitions.empty()) continue;
      const Matrix W = state.transitions[m](all.from, all.from);
      state.transitions[m] = all.sign.asDiagonal() * W * all.sign.asDiagonal();
    }
  }
  return has_changed;
}

}  // namespace milcci
