#include "start/align_by_traces.hpp"

#include <algorithm>
#include <cmath>

#include "solvers/assignment.hpp"
#include "start/likeness.hpp"
#include "start/order.hpp"

namespace milcci {
namespace {

// Columns at n_times equally spaced points from their first to their last row, less their means.
Matrix resampled(const Eigen::Ref<const Matrix>& traces, Index n_times) {
  Matrix result(n_times, traces.cols());
  const Index last = traces.rows() - 1;
  for (Index t = 0; t < n_times; ++t) {
    const double at = n_times > 1 ? static_cast<double>(t * last) / static_cast<double>(n_times - 1) : 0.0;
    const Index before = std::min(static_cast<Index>(at), last), after = std::min(before + 1, last);
    const double share = at - static_cast<double>(before);
    result.row(t) = (1.0 - share) * traces.row(before) + share * traces.row(after);
  }
  result.rowwise() -= result.colwise().mean().eval();
  return result;
}

Index mean_length(const std::vector<Matrix>& traces) {
  Index sum = 0;
  for (const Matrix& phi : traces) sum += phi.rows();
  return std::max<Index>(sum / static_cast<Index>(traces.size()), 1);
}

// Sums over the trials of one option: of the traces of a category, and of their squares.
struct TraceSums {
  Matrix traces;
  Vector squares;
  double n = 0;
};

// The mean traces m, of a length that says how well they are known: its square is
// |m|^2 / (|m|^2 + (2 e)^2), where e is the standard error of m. So the product of two columns is the
// correlation of means that are known well, and small for a component that does something else in every
// trial. One trial tells nothing.
Matrix profile(const TraceSums& sums) {
  constexpr double kErrors = 2.0;
  Matrix mean = sums.traces / std::max(sums.n, 1.0);
  for (Index j = 0; j < mean.cols(); ++j) {
    const double square = mean.col(j).squaredNorm();
    const double error = sums.n > 1 ? (sums.squares(j) / sums.n - square) / (sums.n - 1.0) : 0.0;
    const double length = std::sqrt(square + kErrors * kErrors * std::max(error, 0.0));
    mean.col(j) *= sums.n > 1 && length > 0 ? 1.0 / length : 0.0;
  }
  return mean;
}

// Per option of category k, a column per component.
std::vector<Matrix> profiles(const Design& design, std::size_t k, const std::vector<Matrix>& traces) {
  const Index n_times = mean_length(traces), p = design.n_components(k);
  std::vector<TraceSums> sums(static_cast<std::size_t>(design.n_options(k)),
                              {Matrix::Zero(n_times, p), Vector::Zero(p)});
  for (std::size_t m = 0; m < traces.size(); ++m) {
    const std::vector<int>& label = design.labels[static_cast<std::size_t>(design.label_of_trial[m])];
    TraceSums& own = sums[static_cast<std::size_t>(label[k])];
    const Matrix trace = resampled(traces[m].middleCols(design.first[k], p), n_times);
    own.traces += trace;
    own.squares += trace.colwise().squaredNorm().transpose();
    own.n += 1.0;
  }
  std::vector<Matrix> result;
  for (const TraceSums& own : sums) result.push_back(profile(own));
  return result;
}

double total(const Matrix& alike, const std::vector<Index>& columns) {
  double sum = 0.0;
  for (std::size_t j = 0; j < columns.size(); ++j) sum += alike(static_cast<Index>(j), columns[j]);
  return sum;
}

// 1 where column l clearly continues component j: the two are alike, and the best assignment
// without the pair is clearly worse.
Matrix told_pairs(const Matrix& alike) {
  constexpr double kAlike = 0.7, kMargin = 0.3, kNever = -1e3;
  Matrix told = Matrix::Zero(alike.rows(), alike.cols());
  const std::vector<Index> best = assign(-alike);
  for (Index j = 0; j < alike.rows(); ++j) {
    const Index l = best[static_cast<std::size_t>(j)];
    if (alike(j, l) < kAlike) continue;
    Matrix without = alike;
    without(j, l) = kNever;
    if (total(alike, best) - total(without, assign(-without)) >= kMargin) told(j, l) = 1.0;
  }
  return told;
}

struct TraceOrders {
  std::vector<Order> orders;
  bool is_clear = true;  // all is told; the last component by the others
};

TraceOrders orders_by_traces(const Design& design, std::size_t k, bool may_flip,
                             const std::vector<Matrix>& traces) {
  TraceOrders found;
  const auto best = [&](const Matrix& target, double weight, const Matrix& columns) {
    Order order(columns.cols());
    if (!(weight > 0)) return order;
    const Matrix product = target.transpose() * columns / weight;
    const Matrix told = told_pairs(may_flip ? Matrix(product.cwiseAbs()) : product);
    const auto n_told = static_cast<Index>(told.sum());
    if (n_told < columns.cols() - 1) found.is_clear = false;
    // Components of which nothing is told stay where they are, if that place is left.
    order.from = assign(-static_cast<double>(columns.cols() + 1) * told -
                        Matrix::Identity(columns.cols(), columns.cols()));
    for (Index j = 0; j < columns.cols(); ++j) {
      const Index l = order.from[static_cast<std::size_t>(j)];
      if (told(j, l) > 0 && product(j, l) < 0) order.sign(j) = -1.0;
    }
    return order;
  };
  found.orders = order_along_graph(design.ties[k], profiles(design, k, traces), best);
  return found;
}

// Options with several trials, and components to confuse.
bool can_tell(const Design& design, std::size_t k, const State& state) {
  return design.n_options(k) > 1 && design.n_components(k) > 1 && !state.traces.empty() &&
         static_cast<std::size_t>(design.n_options(k)) < state.traces.size();
}

}  // namespace

bool align_by_traces(const Design& design, bool may_flip, State& state) {
  bool has_changed = false;
  for (std::size_t k = 0; k < design.n_categories(); ++k) {
    if (!can_tell(design, k, state)) continue;
    if (!likeness_of_variants(design, state.components, k).is_slight()) continue;
    const TraceOrders found = orders_by_traces(design, k, may_flip, state.traces);
    has_changed |= carry_out(design, k, found.orders, state);
  }
  return has_changed;
}

bool do_traces_tell(const Design& design, bool may_flip, const State& state, std::size_t k) {
  return can_tell(design, k, state) && orders_by_traces(design, k, may_flip, state.traces).is_clear;
}

}  // namespace milcci
