#include "solvers/tridiagonal.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace milcci {
namespace {

// Rows in which x is zero cut the chain into pieces that do not depend on each other. Calls free(first, last)
// with every piece, and zero(first, last) with the rows between pieces and at the ends.
template <class Free, class Zero>
void walk(const std::vector<char>& is_free, Free&& free, Zero&& zero) {
  const auto n = static_cast<Index>(is_free.size());
  for (Index first = 0; first < n;) {
    const bool begins_free = is_free[static_cast<std::size_t>(first)] != 0;
    const auto rest = static_cast<std::size_t>(n - first);
    const void* end = std::memchr(&is_free[static_cast<std::size_t>(first)], begins_free ? 0 : 1, rest);
    const Index next = end != nullptr ? static_cast<const char*>(end) - is_free.data() : n;
    begins_free ? free(first, next - 1) : zero(first, next - 1);
    first = next;
  }
}

// Whether any row of the piece, or one beside it, has turned.
bool is_affected(const std::vector<char>& has_turned, Index first, Index last) {
  const auto from = static_cast<std::size_t>(std::max<Index>(0, first - 1));
  const auto to = std::min(has_turned.size(), static_cast<std::size_t>(last) + 2);
  return std::memchr(&has_turned[from], 1, to - from) != nullptr;
}

}  // namespace

void TridiagonalSolver::Repeated::begin(double first_diagonal, double next_diagonals, double all_off) {
  if (first_diagonal == first && next_diagonals == diagonal && all_off == off && !inverse.empty()) return;
  first = first_diagonal;
  diagonal = next_diagonals;
  off = all_off;
  inverse.assign(1, 1.0 / first);
  ratio.assign(1, off / first);
}

TridiagonalSolver::Rows TridiagonalSolver::Repeated::reach(Index n_rows) {
  while (static_cast<Index>(inverse.size()) < n_rows) {
    inverse.push_back(1.0 / (diagonal - off * ratio.back()));
    ratio.push_back(off * inverse.back());
  }
  return {inverse.data(), ratio.data(), ratio.data()};
}

void TridiagonalSolver::set_matrix(const Vector& diagonal, const Vector& off) {
  diagonal_ = &diagonal;
  off_ = &off;
  const Index n = diagonal.size();
  repeats_ =
      n > 2 && (off.array() == off(0)).all() && (diagonal.segment(1, n - 2).array() == diagonal(1)).all();
  if (!repeats_) return;
  top_.begin(diagonal(0), diagonal(1), off(0));
  inner_.begin(diagonal(1), diagonal(1), off(0));
  bottom_.begin(diagonal(n - 1), diagonal(1), off(0));
}

void TridiagonalSolver::Single::eliminate(const Vector& diagonal, const Vector& off, Index end, Index step,
                                          Index n_rows) {
  const auto n = static_cast<std::size_t>(n_rows);
  inverse.resize(n);
  behind.resize(n);
  ahead.resize(n);
  double pull = 0.0, ratio = 0.0;  // of the row before
  for (std::size_t k = 0; k < n; ++k) {
    const Index t = end + static_cast<Index>(k) * step;
    inverse[k] = 1.0 / (diagonal(t) - pull * ratio);
    behind[k] = pull * inverse[k];
    pull = off(step > 0 ? t : t - 1);
    ahead[k] = ratio = pull * inverse[k];
  }
}

TridiagonalSolver::Rows TridiagonalSolver::from_top(Index first, Index n_rows) {
  if (repeats_) return (first == 0 ? top_ : inner_).reach(n_rows);
  from_top_.eliminate(*diagonal_, *off_, first, 1, n_rows);
  return from_top_.rows();
}

TridiagonalSolver::Rows TridiagonalSolver::from_bottom(Index last, Index n_rows) {
  if (repeats_) return (last + 1 == diagonal_->size() ? bottom_ : inner_).reach(n_rows);
  from_bottom_.eliminate(*diagonal_, *off_, last, -1, n_rows);
  return from_bottom_.rows();
}

void TridiagonalSolver::solve(Index first, Index last, Eigen::Ref<Vector> x) {
  const Index n_above = (last - first) / 2, n_below = last - first - n_above;  // of the middle row
  const Index middle = first + n_above;
  // In this order: the same rows may serve both ends, and the longer end makes them.
  const Rows bottom = from_bottom(last, n_below);
  const Rows top = from_top(first, n_above);
  double *begin = x.data() + first, *end = x.data() + last;
  double above = 0.0, below = 0.0;
  for (Index k = 0; k < n_above; ++k) {
    begin[k] = above = begin[k] * top.inverse[k] - top.behind[k] * above;
    end[-k] = below = end[-k] * bottom.inverse[k] - bottom.behind[k] * below;
  }
  if (n_below > n_above)
    end[-n_above] = below = end[-n_above] * bottom.inverse[n_above] - bottom.behind[n_above] * below;

  double pivot = (*diagonal_)(middle), rhs = x(middle);
  if (n_above > 0) {
    pivot -= (*off_)(middle - 1) * top.ahead[n_above - 1];
    rhs -= (*off_)(middle - 1) * above;
  }
  if (n_below > 0) {
    pivot -= (*off_)(middle)*bottom.ahead[n_below - 1];
    rhs -= (*off_)(middle)*below;
  }
  x(middle) = above = below = rhs / pivot;

  if (n_below > n_above) end[-n_above] = below = end[-n_above] - bottom.ahead[n_above] * below;
  for (Index k = n_above - 1; k >= 0; --k) {
    begin[k] = above = begin[k] - top.ahead[k] * above;
    end[-k] = below = end[-k] - bottom.ahead[k] * below;
  }
}

void solve_tridiagonal_nonnegative(const Vector& diagonal, const Vector& off, const Vector& b,
                                   Eigen::Ref<Vector> x, TridiagonalWork& work) {
  const Index n = diagonal.size();
  work.solver.set_matrix(diagonal, off);
  std::vector<char>&is_free = work.is_free, &has_turned = work.has_turned, &turns = work.turns;
  is_free.resize(static_cast<std::size_t>(n));
  for (Index t = 0; t < n; ++t) is_free[static_cast<std::size_t>(t)] = (x(t) > 0) | (b(t) > 0);
  has_turned.assign(is_free.size(), 1);
  const auto solve = [&](Index first, Index last) {
    if (!is_affected(has_turned, first, last)) return;
    x.segment(first, last - first + 1) = b.segment(first, last - first + 1);
    work.solver.solve(first, last, x);
  };
  const auto set_zero = [&](Index first, Index last) { x.segment(first, last - first + 1).setZero(); };
  const auto find_negative = [&](Index first, Index last) {
    if (x.segment(first, last - first + 1).minCoeff() > 0) return;
    for (Index t = first; t <= last; ++t) turns[static_cast<std::size_t>(t)] = !(x(t) > 0);
  };
  const auto find_pulled = [&](Index first, Index last) {
    for (Index t = first; t <= last; ++t) {
      double pull = b(t);  // minus half the gradient
      if (t > 0) pull -= off(t - 1) * x(t - 1);
      if (t + 1 < n) pull -= off(t) * x(t + 1);
      turns[static_cast<std::size_t>(t)] = pull > 0;
    }
  };
  constexpr int kMaxSteps = 100;  // four to eight are usual
  for (int step = 0; step < kMaxSteps; ++step) {
    walk(is_free, solve, set_zero);
    turns.assign(is_free.size(), 0);
    walk(is_free, find_negative, find_pulled);
    if (std::memchr(turns.data(), 1, turns.size()) == nullptr) return;
    for (std::size_t t = 0; t < turns.size(); ++t) is_free[t] = static_cast<char>(is_free[t] ^ turns[t]);
    std::swap(has_turned, turns);
  }
  x = x.cwiseMax(0.0);
}

}  // namespace milcci
