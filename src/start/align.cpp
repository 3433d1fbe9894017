#include "start/align.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

#include "solvers/assignment.hpp"

namespace milcci {
namespace {

// Twice the consistency term falls by this sum, as exchanges keep all lengths.
double agreement(const LabelGraph& ties, const std::vector<Matrix>& variants) {
  double sum = 0.0;
  if (ties.is_constant()) {
    Matrix total = Matrix::Zero(variants[0].rows(), variants[0].cols());
    for (const Matrix& variant : variants) {
      total += variant;
      sum -= variant.squaredNorm();
    }
    return ties.weight() * (sum + total.squaredNorm());
  }
  for (std::size_t i = 0; i < variants.size(); ++i)
    for (const LabelGraph::Neighbour& other : ties.neighbours(static_cast<int>(i)))
      sum += other.weight * variants[i].cwiseProduct(variants[static_cast<std::size_t>(other.option)]).sum();
  return sum;
}

// Every option after those it is tied to most; of equally tied ones the first.
std::vector<std::size_t> along_the_graph(const LabelGraph& ties) {
  const auto n_options = static_cast<std::size_t>(ties.n_options());
  std::vector<std::size_t> order;
  if (ties.is_constant()) {
    for (std::size_t i = 0; i < n_options; ++i) order.push_back(i);
    return order;
  }
  std::vector<double> tie(n_options, 0.0);
  std::set<std::pair<double, std::size_t>> waiting;  // by falling tie
  for (std::size_t i = 0; i < n_options; ++i) waiting.insert({0.0, i});
  while (!waiting.empty()) {
    const std::size_t next = waiting.extract(waiting.begin()).value().second;
    order.push_back(next);
    for (const LabelGraph::Neighbour& other : ties.neighbours(static_cast<int>(next))) {
      const auto o = static_cast<std::size_t>(other.option);
      auto place = waiting.extract({-tie[o], o});
      tie[o] += other.weight;
      if (place.empty()) continue;
      place.value().first = -tie[o];
      waiting.insert(std::move(place));
    }
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

// The variants that are in order already, and what they pull the others to.
class Known {
 public:
  Known(const LabelGraph& ties, const std::vector<Matrix>& variants)
      : ties_(ties), variants_(variants), is_known_(variants.size(), 0) {
    sum_.setZero(variants[0].rows(), variants[0].cols());
  }
  // The weighted sum of option i's neighbours among the known.
  Matrix target(std::size_t i) const {
    if (ties_.is_constant()) return ties_.weight() * (is_known_[i] ? Matrix(sum_ - variants_[i]) : sum_);
    Matrix target = Matrix::Zero(sum_.rows(), sum_.cols());
    for (const LabelGraph::Neighbour& other : ties_.neighbours(static_cast<int>(i))) {
      const auto o = static_cast<std::size_t>(other.option);
      if (is_known_[o]) target += other.weight * variants_[o];
    }
    return target;
  }
  // Option i is now in order, or in a different order than before.
  void learn(std::size_t i, const Matrix& before) {
    if (is_known_[i])
      sum_ += variants_[i] - before;
    else
      sum_ += variants_[i];
    is_known_[i] = 1;
  }

 private:
  const LabelGraph& ties_;
  const std::vector<Matrix>& variants_;
  std::vector<char> is_known_;
  Matrix sum_;
};

// The order of an option's components that agrees best with the target.
Order best_order(const Matrix& target, const Matrix& variant, bool may_flip) {
  const Matrix product = target.transpose() * variant;
  Order order(product.rows());
  order.from = assign(may_flip ? Matrix(-product.cwiseAbs()) : Matrix(-product));
  for (Index j = 0; j < product.rows(); ++j)
    if (may_flip && product(j, order.from[static_cast<std::size_t>(j)]) < 0) order.sign(j) = -1.0;
  return order;
}

// The order of the components under every option.
std::vector<Order> align_category(const LabelGraph& ties, bool may_flip, std::vector<Matrix> variants) {
  constexpr int kMaxRounds = 10;
  constexpr double kClearly = 1e-9;
  const std::vector<Order> as_is(variants.size(), Order(variants[0].cols()));
  std::vector<Order> order = as_is;
  Known known(ties, variants);
  const std::vector<std::size_t> path = along_the_graph(ties);
  const double before = agreement(ties, variants);
  // The first sweep follows the graph from option to option, so that a trade that begins at one
  // option and lasts to the end is undone as a whole.
  bool has_changed = true;
  for (int round = 0; round < kMaxRounds && has_changed; ++round) {
    has_changed = false;
    for (const std::size_t i : path) {
      const Order better = best_order(known.target(i), variants[i], may_flip);
      const Matrix before_it = variants[i];
      if (!better.is_trivial()) {
        variants[i] = better.of_columns(before_it);
        order[i].then(better);
        has_changed = true;
      }
      known.learn(i, before_it);
    }
  }
  const bool is_better = agreement(ties, variants) > before + kClearly * std::abs(before);
  return is_better ? order : as_is;
}

}  // namespace

bool align_variants(const Design& design, bool may_flip, State& state) {
  bool has_changed = false;
  for (std::size_t k = 0; k < design.n_categories(); ++k) {
    if (design.n_options(k) < 2) continue;
    const std::vector<Order> orders = align_category(design.ties[k], may_flip, state.components[k]);
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
