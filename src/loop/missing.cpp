#include "loop/missing.hpp"

#include <algorithm>
#include <bit>

#include "kernels/kernels.hpp"

namespace milcci {

void tabulate_grams(const Matrix& A, double weight, Matrix& table) {
  constexpr Index kWays = 16;
  const Index N = A.rows(), P = A.cols();
  const Matrix rows = A.transpose();
  table.resize(padded(packed_size(P)), (N + 3) / 4 * kWays);
  Matrix square(table.rows(), 4);
  for (Index n = 0; n < N; n += 4) {
    square.setZero();  // channels beyond the last add nothing
    for (Index i = 0; i < std::min(Index{4}, N - n); ++i)
      for (Index j = 0; j < P; ++j)
        square.col(i).segment(packed_index(j, 0), j + 1) = rows(j, n + i) * rows.col(n + i).head(j + 1);
    auto ways = table.middleCols(n / 4 * kWays, kWays);
    ways.col(0) = weight * square.rowwise().sum();
    square *= 1.0 - weight;
    for (Index way = 1; way < kWays; ++way)
      ways.col(way) = ways.col(way & (way - 1)) + square.col(std::countr_zero(static_cast<unsigned>(way)));
  }
}

void sum_own_grams(const Gaps& gaps, Index n_channels, const Matrix& table, ChainProblem& problem) {
  const Index n_times = problem.n_times(), P = problem.n_components();
  problem.own_H.resize(padded(n_times), packed_size(P));
  kernels().sum_grams(
      {.n_channels = n_channels, .n_times = n_times, .n_components = P, .stride = padded(n_times)},
      gaps.observed.data(), table.data(), problem.own_H.data());
  for (Index j = 0; j < P; ++j) problem.own_H.col(packed_index(j, j)).array() += problem.ridge(j);
}

void accumulate_missing(const Gaps& gaps, Index n_channels, const Matrix& phi, LabelSums& sums) {
  if (sums.missing.size() == 0) sums.missing.setZero(padded(packed_size(phi.cols())), n_channels);
  kernels().accumulate_grams(
      {.n_channels = n_channels, .n_times = phi.rows(), .n_components = phi.cols(), .stride = phi.rows()},
      gaps.missing.data(), phi.data(), sums.missing.data());
}

void add_missing_products(const LabelSums& sums, const Matrix& A, Matrix& X) {
  for (Index n = 0; n < sums.missing.cols(); ++n)
    for (Index j = 0; j < A.cols(); ++j)
      for (Index l = 0; l < A.cols(); ++l) X(n, j) += A(n, l) * sums.missing(packed_index(j, l), n);
}

double missing_energy(const LabelSums& sums, const Matrix& A) {
  double energy = 0.0;
  Vector a(A.cols());
  for (Index n = 0; n < sums.missing.cols(); ++n) {
    a = A.row(n).transpose();
    const double* row = sums.missing.col(n).data();
    for (Index j = 0; j < a.size(); row += ++j) {
      double product = 0.0;
      for (Index l = 0; l < j; ++l) product += row[l] * a(l);
      energy += a(j) * (2.0 * product + row[j] * a(j));
    }
  }
  return energy;
}

}  // namespace milcci
