// The updates under every kind of gap pattern, against sums over single entries.
#include "loop/missing.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>

#include "label_graphs/categories.hpp"
#include "loop/components.hpp"
#include "loop/traces.hpp"
#include "support/random_problem.hpp"
#include "support/tolerances.hpp"

namespace milcci {
namespace {

enum class Pattern { scattered, few, whole_channels, whole_trial, whole_component };
constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
constexpr Index kChannels = 11;

Trials trials_with(Pattern pattern, std::uint64_t seed) {
  Trials trials = testing::random_trials(
      {.n_channels = kChannels, .missing = pattern == Pattern::scattered ? 0.4 : 0.0, .seed = seed});
  Random random(seed, 9);
  for (std::size_t m = 0; m < trials.n_trials(); ++m) {
    Matrix& y = trials.values[m];
    if (pattern == Pattern::few)
      for (Index t = 0; t < y.cols(); ++t)
        if (t % 3 > 0) y(t % 3, t) = y(t % 3 + 5, t) = kMissing;
    if (pattern == Pattern::whole_channels)
      for (int i = 0; i < 3; ++i) y.row(random.below(kChannels)).setConstant(kMissing);
    if (pattern == Pattern::whole_trial && m == 3) y.setConstant(kMissing);
    if (pattern == Pattern::whole_component) y.block(2, 1, 2, 3).setConstant(kMissing);
  }
  return trials;
}

struct Setting {
  Trials trials;
  TrialData data;
  Design design;
  State state;
  Penalties penalties;
  Statistics statistics;

  Setting(Pattern pattern, bool is_nonnegative, double weight)
      : trials(trials_with(pattern, 21)),
        data(trials),
        design(make_design(resolve_categories(testing::two_categories().categories, trials),
                           trials.n_trials())) {
    Random random(4, 77);
    for (std::size_t k = 0; k < design.n_categories(); ++k) {
      auto& variants = state.components.emplace_back();
      for (int i = 0; i < design.n_options(k); ++i) {
        Matrix a = random.normal(kChannels, design.n_components(k)).cwiseAbs();
        if (k == 1) a.topRows(2).setZero(), a.bottomRows(kChannels - 4).setZero();  // channels 3 and 4
        a.colwise().normalize();
        variants.push_back(a);
      }
    }
    penalties.missing = weight;
    penalties.ridge = 1e-3;
    for (std::size_t k = 0; k < design.n_categories(); ++k) {
      penalties.gamma1.push_back(Matrix::Constant(design.n_components(k), design.n_options(k), 0.4));
      penalties.gamma2.push_back(Vector::Constant(design.n_components(k), 0.3));
    }
    statistics = update_traces(
        data, design, penalties,
        {.is_nonnegative = is_nonnegative, .chain = {.tolerance = 1e-13, .max_sweeps = 100000}}, state);
  }
  Matrix loading_of(std::size_t m) const {
    return loading(design, state.components, static_cast<std::size_t>(design.label_of_trial[m]));
  }
  double weight(std::size_t m, Index n, Index t) const {
    return std::isnan(trials.values[m](n, t)) ? penalties.missing : 1.0;
  }
};

class MissingEntries : public ::testing::TestWithParam<std::tuple<Pattern, bool, double>> {
 protected:
  bool is_nonnegative_ = std::get<1>(GetParam());
  Setting setting_{std::get<0>(GetParam()), is_nonnegative_, std::get<2>(GetParam())};
};

// Weighted least squares, entry by entry.
TEST_P(MissingEntries, LeaveEveryTimePointItsOwnLeastSquares) {
  for (std::size_t m = 0; m < setting_.trials.n_trials(); ++m) {
    const Matrix A = setting_.loading_of(m);
    const Matrix& Y = setting_.trials.values[m];
    const Index P = A.cols();
    for (Index t = 0; t < Y.cols(); ++t) {
      Matrix H = setting_.penalties.ridge(0) * Matrix::Identity(P, P);
      Vector b = Vector::Zero(P);
      for (Index n = 0; n < kChannels; ++n) {
        H += setting_.weight(m, n, t) * A.row(n).transpose() * A.row(n);
        if (!std::isnan(Y(n, t))) b += Y(n, t) * A.row(n).transpose();
      }
      const Vector x = setting_.state.traces[m].row(t).transpose();
      const Vector pull = b - H * x;
      for (Index j = 0; j < P; ++j) {
        const bool is_at_bound = is_nonnegative_ && x(j) == 0.0;
        EXPECT_LT(is_at_bound ? pull(j) : std::abs(pull(j)), testing::kSolve * (1 + b.norm()));
      }
    }
  }
}

TEST_P(MissingEntries, LeaveTheirSumsAndTheObjective) {
  Objective expected;
  std::vector<Matrix> sums;
  for (const LabelSums& label : setting_.statistics.labels)
    sums.push_back(Matrix::Zero(label.missing.rows(), label.missing.cols()));
  for (std::size_t m = 0; m < setting_.trials.n_trials(); ++m) {
    const Matrix A = setting_.loading_of(m);
    const Matrix& phi = setting_.state.traces[m];
    Matrix& sum = sums[static_cast<std::size_t>(setting_.design.label_of_trial[m])];
    expected.ridge += setting_.penalties.ridge(0) * phi.squaredNorm();
    for (Index t = 0; t < phi.rows(); ++t)
      for (Index n = 0; n < kChannels; ++n) {
        const double model = A.row(n).dot(phi.row(t)), y = setting_.trials.values[m](n, t);
        if (!std::isnan(y)) {
          expected.fit += std::pow(y - model, 2);
          continue;
        }
        expected.ridge += setting_.penalties.missing * model * model;
        for (Index j = 0; j < phi.cols(); ++j)
          for (Index l = 0; l <= j; ++l) sum(packed_index(j, l), n) += phi(t, j) * phi(t, l);
      }
  }
  const double tolerance = testing::kSolve * setting_.statistics.energy;
  EXPECT_NEAR(setting_.statistics.objective.fit, expected.fit, tolerance);
  EXPECT_NEAR(setting_.statistics.objective.ridge, expected.ridge, tolerance);
  for (std::size_t l = 0; l < sums.size(); ++l)
    EXPECT_LT((setting_.statistics.labels[l].missing - sums[l]).norm(),
              testing::kSolve * (1 + sums[l].norm()));
}

// Every channel's lasso from the entries themselves: G and R of every option of every category.
TEST_P(MissingEntries, LeaveEveryChannelItsOwnLasso) {
  const Rows rows{1, kChannels - 1};
  const Design& design = setting_.design;
  std::vector<Matrix> components;
  for (const auto& variants : setting_.state.components) components.push_back(side_by_side(variants, rows));
  for (std::size_t k = 0; k < design.n_categories(); ++k) {
    const Index first = design.first[k], p = design.n_components(k), P = design.n_components();
    const CategorySums sums = sum_category(design, setting_.penalties, setting_.statistics, k);
    std::vector<Matrix> no_pull;
    for (std::size_t c = 0; c < design.n_categories(); ++c)
      no_pull.push_back(Matrix::Zero(design.n_components(c), design.n_options(c)));
    CategoryProblem problem =
        category_problem(design, setting_.penalties, setting_.statistics, sums, rows, k);
    subtract_others(design, sums, linear_terms(design, setting_.statistics, no_pull, rows, components)[k],
                    components, k, problem);
    for (Index i = 0; i < design.n_options(k); ++i)
      for (Index n = 0; n < rows.count; ++n) {
        Matrix G = Matrix::Zero(p, p);
        Vector r = Vector::Zero(p), energy = Vector::Zero(p);
        for (std::size_t m = 0; m < setting_.trials.n_trials(); ++m) {
          if (design.labels[static_cast<std::size_t>(design.label_of_trial[m])][k] != i) continue;
          Eigen::RowVectorXd others = setting_.loading_of(m).row(rows.first + n);
          others.segment(first, p).setZero();
          for (Index t = 0; t < setting_.trials.values[m].cols(); ++t) {
            const Eigen::RowVectorXd phi = setting_.state.traces[m].row(t);
            const double y = setting_.trials.values[m](rows.first + n, t);
            const double weight = setting_.weight(m, rows.first + n, t);
            G += weight * phi.segment(first, p).transpose() * phi.segment(first, p);
            r += ((std::isnan(y) ? 0.0 : y) - weight * others.dot(phi)) * phi.segment(first, p).transpose();
            energy += phi.segment(first, p).cwiseAbs2().transpose();
          }
        }
        ASSERT_EQ(P, setting_.state.traces[0].cols());
        for (Index j = 0; j < p; ++j) {
          EXPECT_NEAR(problem.R(n, i * p + j), r(j), testing::kSolve * (1 + energy.norm()));
          for (Index l = 0; l < p; ++l)
            EXPECT_NEAR(problem.gram(i, n, j, l),
                        G(j, l) + (j == l ? setting_.penalties.ridge(0) * energy(j) : 0),
                        testing::kSolve * (1 + energy.norm()));
        }
      }
  }
}

TEST_P(MissingEntries, GiveTheSameBitsForAnyNumberOfThreads) {
  Setting three{std::get<0>(GetParam()), is_nonnegative_, std::get<2>(GetParam())};
  three.state.traces.clear();
  setting_.state.traces.clear();
  const auto pass = [&](Setting& setting, int threads) {
    return update_traces(setting.data, setting.design, setting.penalties,
                         {.is_nonnegative = is_nonnegative_, .threads = threads}, setting.state);
  };
  const Statistics a = pass(setting_, 1), b = pass(three, 3);
  for (std::size_t l = 0; l < a.labels.size(); ++l) EXPECT_EQ(a.labels[l].missing, b.labels[l].missing);
  EXPECT_EQ(a.objective.total(), b.objective.total());
}

INSTANTIATE_TEST_SUITE_P(EveryPattern, MissingEntries,
                         ::testing::Combine(::testing::Values(Pattern::scattered, Pattern::few,
                                                              Pattern::whole_channels, Pattern::whole_trial,
                                                              Pattern::whole_component),
                                            ::testing::Bool(), ::testing::Values(0.0, 0.01)));

}  // namespace
}  // namespace milcci
