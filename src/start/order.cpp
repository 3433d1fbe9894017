#include "start/order.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

namespace milcci {
namespace {

// Of memberships: twice the consistency term falls by this sum, as exchanges keep all lengths.
double agreement(const LabelGraph& ties, const std::vector<Matrix>& columns) {
  double sum = 0.0;
  if (ties.is_constant()) {
    Matrix total = Matrix::Zero(columns[0].rows(), columns[0].cols());
    for (const Matrix& each : columns) {
      total += each;
      sum -= each.squaredNorm();
    }
    return ties.weight() * (sum + total.squaredNorm());
  }
  for (std::size_t i = 0; i < columns.size(); ++i)
    for (const LabelGraph::Neighbour& other : ties.neighbours(static_cast<int>(i)))
      sum += other.weight * columns[i].cwiseProduct(columns[static_cast<std::size_t>(other.option)]).sum();
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

// The columns that are in order already, and what they pull the others to.
class Known {
 public:
  Known(const LabelGraph& ties, const std::vector<Matrix>& columns)
      : ties_(ties), columns_(columns), is_known_(columns.size(), 0) {
    sum_.setZero(columns[0].rows(), columns[0].cols());
  }
  // The weighted sum of option i's neighbours among the known.
  Matrix target(std::size_t i) const {
    if (ties_.is_constant()) return ties_.weight() * (is_known_[i] ? Matrix(sum_ - columns_[i]) : sum_);
    Matrix target = Matrix::Zero(sum_.rows(), sum_.cols());
    for (const LabelGraph::Neighbour& other : ties_.neighbours(static_cast<int>(i))) {
      const auto o = static_cast<std::size_t>(other.option);
      if (is_known_[o]) target += other.weight * columns_[o];
    }
    return target;
  }
  // Of the neighbours in the target, all together.
  double weight(std::size_t i) const {
    if (ties_.is_constant()) return ties_.weight() * static_cast<double>(n_known_ - is_known_[i]);
    double weight = 0.0;
    for (const LabelGraph::Neighbour& other : ties_.neighbours(static_cast<int>(i)))
      if (is_known_[static_cast<std::size_t>(other.option)]) weight += other.weight;
    return weight;
  }
  // Option i is now in order, or in a different order than before.
  void learn(std::size_t i, const Matrix& before) {
    if (is_known_[i])
      sum_ += columns_[i] - before;
    else
      sum_ += columns_[i];
    n_known_ += 1 - is_known_[i];
    is_known_[i] = 1;
  }

 private:
  const LabelGraph& ties_;
  const std::vector<Matrix>& columns_;
  std::vector<int> is_known_;
  int n_known_ = 0;
  Matrix sum_;
};

// The order of all components, of which those of category k change.
Order of_all(const Design& design, std::size_t k, const Order& order) {
  Order all(design.n_components());
  for (std::size_t j = 0; j < order.from.size(); ++j)
    all.from[static_cast<std::size_t>(design.first[k]) + j] = design.first[k] + order.from[j];
  all.sign.segment(design.first[k], design.n_components(k)) = order.sign;
  return all;
}

}  // namespace

Order::Order(Index n_components)
    : from(static_cast<std::size_t>(n_components)), sign(Vector::Ones(n_components)) {
  std::iota(from.begin(), from.end(), Index{0});
}

bool Order::is_trivial() const {
  return std::is_sorted(from.begin(), from.end()) && (sign.array() > 0).all();
}

Matrix Order::of_columns(const Matrix& columns) const {
  return columns(Eigen::all, from) * sign.asDiagonal();
}

void Order::then(const Order& next) {
  const Order old = *this;
  for (std::size_t j = 0; j < from.size(); ++j) from[j] = old.from[static_cast<std::size_t>(next.from[j])];
  sign = next.sign.cwiseProduct(old.sign(next.from));
}

std::vector<Order> order_along_graph(const LabelGraph& ties, std::vector<Matrix> columns,
                                     const BestOrder& best) {
  constexpr int kMaxRounds = 10;
  constexpr double kClearly = 1e-9;
  const std::vector<Order> as_is(columns.size(), Order(columns[0].cols()));
  std::vector<Order> order = as_is;
  Known known(ties, columns);
  const std::vector<std::size_t> path = along_the_graph(ties);
  const double before = agreement(ties, columns);
  // The first sweep follows the graph from option to option, so that a trade that begins at one
  // option and lasts to the end is undone as a whole.
  bool has_changed = true;
  for (int round = 0; round < kMaxRounds && has_changed; ++round) {
    has_changed = false;
    for (const std::size_t i : path) {
      const Order better = best(known.target(i), known.weight(i), columns[i]);
      const Matrix before_it = columns[i];
      if (!better.is_trivial()) {
        columns[i] = better.of_columns(before_it);
        order[i].then(better);
        has_changed = true;
      }
      known.learn(i, before_it);
    }
  }
  const bool is_better = agreement(ties, columns) > before + kClearly * std::abs(before);
  return is_better ? order : as_is;
}

bool carry_out(const Design& design, std::size_t k, const std::vector<Order>& orders, State& state) {
  bool has_changed = false;
  for (std::size_t i = 0; i < orders.size(); ++i) {
    if (orders[i].is_trivial()) continue;
    has_changed = true;
    state.components[k][i] = orders[i].of_columns(state.components[k][i]);
  }
  for (std::size_t m = 0; m < state.traces.size(); ++m) {
    const std::vector<int>& label = design.labels[static_cast<std::size_t>(design.label_of_trial[m])];
    const Order& order = orders[static_cast<std::size_t>(label[k])];
    if (order.is_trivial()) continue;
    const Order all = of_all(design, k, order);
    state.traces[m] = all.of_columns(state.traces[m]);
    if (state.transitions.empty()) continue;
    const Matrix W = state.transitions[m](all.from, all.from);
    state.transitions[m] = all.sign.asDiagonal() * W * all.sign.asDiagonal();
  }
  return has_changed;
}

}  // namespace milcci
