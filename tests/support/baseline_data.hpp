// Low-rank trials for the tests of other methods, and what those tests ask of a result.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "milcci/baselines.hpp"
#include "util/random.hpp"

namespace milcci::testing {

struct LowRank {
  Index n_channels = 9, rank = 2;
  std::size_t n_trials = 12;
  Index length = 15;
  double noise = 0, offset = 0, missing = 0;
  bool is_nonnegative = false;
  bool is_trilinear = false;  ///< the same time courses in every trial, up to a factor
  std::uint64_t seed = 1;
};

/// Random components times random traces; label "side", left and right in turn.
inline Trials low_rank_trials(const LowRank& wanted) {
  Random random(wanted.seed, 0);
  const auto draw = [&](Index rows, Index cols) {
    Matrix drawn = random.normal(rows, cols);
    if (wanted.is_nonnegative) drawn = drawn.cwiseAbs().eval();
    return drawn;
  };
  Trials trials;
  const Matrix A = draw(wanted.n_channels, wanted.rank), courses = draw(wanted.rank, wanted.length);
  LabelColumn::Texts side;
  for (std::size_t m = 0; m < wanted.n_trials; ++m) {
    const Matrix traces = wanted.is_trilinear ? Matrix(draw(wanted.rank, 1).asDiagonal() * courses)
                                              : draw(wanted.rank, wanted.length);
    Matrix y = A * traces + wanted.noise * draw(wanted.n_channels, wanted.length);
    y.array() += wanted.offset;
    for (Index i = 1; i < y.size(); ++i)
      if (random.uniform() < wanted.missing) y.data()[i] = std::numeric_limits<double>::quiet_NaN();
    trials.values.push_back(y);
    side.push_back(m % 2 == 0 ? "left" : "right");
  }
  for (Index n = 0; n < wanted.n_channels; ++n) trials.channel_names.push_back(fmt::format("c{}", n + 1));
  trials.labels = {{"side", side}};
  return trials;
}

inline Matrix side_by_side(const Trials& trials) {
  Matrix all(trials.n_channels(), 0);
  for (const Matrix& y : trials.values) {
    all.conservativeResize(Eigen::NoChange, all.cols() + y.cols());
    all.rightCols(y.cols()) = y;
  }
  return all;
}

inline Matrix components_of(const BaselineFit& fit) {
  return fit.model.categories.front().variants.front();
}

inline double squared_error(const Model& model, const Trials& trials) {
  return evaluate(model, trials).squared_error;
}

/// Up to rounding, which is `share` of the first value.
inline void expect_never_rises(const std::vector<double>& course, double share) {
  for (std::size_t i = 1; i < course.size(); ++i)
    EXPECT_LE(course[i], course[i - 1] + share * std::abs(course.front())) << "in iteration " << i + 1;
}

inline void expect_nonnegative(const BaselineFit& fit) {
  for (const Matrix& variant : fit.model.categories.front().variants) EXPECT_GE(variant.minCoeff(), 0);
  for (const Matrix& phi : fit.model.traces) EXPECT_GE(phi.minCoeff(), 0);
}

}  // namespace milcci::testing
