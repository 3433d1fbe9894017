// Traces of linear dynamics obey the transitions of the truth, which belong to labels.
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/SVD>
#include <map>

#include "milcci/simulate.hpp"
#include "support/truth_model.hpp"

namespace milcci {
namespace {

SimulateOptions small(bool is_signed) {
  SimulateOptions options;
  options.n_channels = 20;
  options.n_trials = 40;
  options.min_length = 100;
  options.max_length = 120;
  options.is_signed = is_signed;
  options.dynamics = true;
  return options;
}

// phi_t - W phi_{t-1}, one column per step of the trial.
Matrix innovations(const Truth& truth, std::size_t m) {
  const Matrix& phi = truth.traces[m];
  const Index n = phi.cols() - 1;
  return phi.rightCols(n) - truth.transitions[m] * phi.leftCols(n);
}

std::string label_of(const Trials& trials, std::size_t m) {
  std::string label;
  for (const LabelColumn& column : trials.labels) label += column.text(m) + "/";
  return label;
}

TEST(Dynamics, LeastSquaresOverTheTrialsOfALabelGiveItsTransition) {
  for (const bool is_signed : {false, true}) {
    SimulateOptions options = small(is_signed);
    options.categories = {{"cue", 4, 2, CategoryKind::categorical}};
    options.n_trials = 400;
    const Trials trials = simulate(options);
    const Truth& truth = *trials.truth;
    ASSERT_EQ(truth.transitions.size(), trials.n_trials());
    std::map<std::string, std::pair<Matrix, Matrix>> sums;  // of phi_t phi_{t-1}', and phi_{t-1} phi_{t-1}'
    std::map<std::string, Matrix> transition;
    for (std::size_t m = 0; m < trials.n_trials(); ++m) {
      const Index n = truth.traces[m].cols() - 1;
      const auto now = truth.traces[m].rightCols(n), before = truth.traces[m].leftCols(n);
      auto& [cross, gram] =
          sums.try_emplace(label_of(trials, m), Matrix::Zero(4, 4), Matrix::Zero(4, 4)).first->second;
      cross += now * before.transpose(), gram += before * before.transpose();
      transition[label_of(trials, m)] = truth.transitions[m];
    }
    ASSERT_EQ(sums.size(), 2u);
    for (const auto& [label, of_label] : sums) {
      const Matrix found = of_label.second.ldlt().solve(of_label.first.transpose()).transpose();
      // 22,000 steps: standard errors of the entries are about 0.002.
      EXPECT_LT((found - transition[label]).cwiseAbs().maxCoeff(), 0.012) << label;
    }
  }
}

TEST(Dynamics, LabelsHaveTransitionsOfTheirOwn) {
  const Trials trials = simulate(small(true));
  std::map<std::string, Matrix> transition;
  for (std::size_t m = 0; m < trials.n_trials(); ++m) {
    const auto [known, is_new] = transition.try_emplace(label_of(trials, m), trials.truth->transitions[m]);
    EXPECT_EQ(known->second, trials.truth->transitions[m]);
  }
  ASSERT_EQ(transition.size(), 10u);
  for (auto a = transition.begin(); a != transition.end(); ++a)
    for (auto b = std::next(a); b != transition.end(); ++b)
      EXPECT_GT((a->second - b->second).cwiseAbs().maxCoeff(), 0.02) << a->first << " and " << b->first;
}

TEST(Dynamics, TurnDampAndStayBounded) {
  const Trials trials = simulate(small(true));
  for (const Matrix& W : trials.truth->transitions) {
    const Eigen::VectorXcd roots = Eigen::EigenSolver<Matrix>(W, false).eigenvalues();
    EXPECT_LT(roots.cwiseAbs().maxCoeff(), 1.0);
    EXPECT_GT(roots.cwiseAbs().minCoeff(), 0.9);
    EXPECT_GT(roots.imag().cwiseAbs().maxCoeff(), 0.05) << "a rotation";
  }
}

// What is shifted to zero must leave the dynamics alone: the level is what W keeps, and the innovations have
// no mean.
TEST(Dynamics, OfTracesThatAreNotNegativeKeepTheirLevel) {
  const Trials trials = simulate(small(false));
  const Truth& truth = *trials.truth;
  Vector sum = Vector::Zero(4), squares = Vector::Zero(4);
  double n = 0;
  for (std::size_t m = 0; m < trials.n_trials(); ++m) {
    EXPECT_GE(truth.traces[m].minCoeff(), 0.0);
    EXPECT_LT(truth.traces[m].minCoeff(), 1e-12) << "no higher than needed";
    const Matrix W = truth.transitions[m];
    const Eigen::JacobiSVD<Matrix> svd(W - Matrix::Identity(4, 4));
    EXPECT_LT(svd.singularValues()(3), 1e-12) << "a direction that W leaves alone";
    const Matrix noise = innovations(truth, m);
    sum += noise.rowwise().sum();
    squares += noise.rowwise().squaredNorm();
    n += static_cast<double>(noise.cols());
  }
  for (Index j = 0; j < 4; ++j) EXPECT_LT(std::abs(sum(j)), 5 * std::sqrt(squares(j))) << "component " << j;
  for (Index j = 0; j < 4; ++j) EXPECT_GT(squares(j) / n, 0.0);
}

TEST(Dynamics, ChangeTracesOnly) {
  SimulateOptions options = small(false);
  const Trials with = simulate(options);
  options.dynamics = false;
  const Trials without = simulate(options);
  EXPECT_TRUE(without.truth->transitions.empty());
  EXPECT_EQ(with.truth->categories[0].variants, without.truth->categories[0].variants);
  for (std::size_t m = 0; m < with.n_trials(); ++m) {
    EXPECT_EQ(label_of(with, m), label_of(without, m));
    EXPECT_EQ(with.n_times(m), without.n_times(m));
    EXPECT_LT((true_loading(with, m) * with.truth->traces[m] - with.values[m]).cwiseAbs().maxCoeff(), 1e-12);
  }
}

TEST(Dynamics, OneComponentAndOneTimePointAreEnough) {
  SimulateOptions options;
  options.dynamics = true;
  options.categories = {{"fixed", 1, 1, CategoryKind::fixed}};
  options.n_channels = options.n_trials = options.min_length = options.max_length = 1;
  options.is_signed = true;
  const Trials trials = simulate(options);
  EXPECT_EQ(trials.truth->transitions[0].size(), 1);
  EXPECT_NE(trials.values[0](0, 0), 0.0);
}

}  // namespace
}  // namespace milcci
