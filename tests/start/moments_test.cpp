// The two forms of the second moments against each other and against their formula.
#include "start/moments.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "start/dictionary.hpp"
#include "start/pooled.hpp"
#include "support/random_problem.hpp"
#include "support/sessions.hpp"
#include "support/tolerances.hpp"

namespace milcci {
namespace {

// More channels than time points, all pieces of the sum different in length.
Trials wide_trials(Index n_channels, double missing) {
  Trials trials;
  Random random(8, 1);
  const Matrix loading = random.normal(n_channels, 3).cwiseMax(0.0);
  for (Index m = 0; m < 6; ++m) {
    Matrix y = loading * random.normal(3, 2 + m) + 0.1 * random.normal(n_channels, 2 + m);
    for (double& value : y.reshaped())
      if (random.uniform() < missing) value = std::numeric_limits<double>::quiet_NaN();
    trials.values.push_back(std::move(y));
  }
  return trials;
}

void expect_same(const Moments& a, const Moments& b) {
  ASSERT_EQ(a.n_channels(), b.n_channels());
  Random random(8, 2);
  const Matrix A = random.normal(a.n_channels(), 4);
  const double scale = b.diagonal().sum();
  EXPECT_LT((a.diagonal() - b.diagonal()).norm(), testing::kSolve * scale);
  EXPECT_LT((a.column(5) - b.column(5)).norm(), testing::kSolve * scale);
  EXPECT_LT((a.times(A) - b.times(A)).norm(), testing::kSolve * scale);
}

TEST(Moments, AreTheSameInBothForms) {
  const Trials trials = wide_trials(80, 0.0);
  const TrialData data(trials);
  expect_same(Moments::of_samples(data), Moments(second_moments(data)));
}

TEST(Moments, OfSamplesSurviveAMoveOfTheData) {
  const Trials trials = wide_trials(80, 0.0);
  TrialData data(trials);
  TrialData pooled = pool(data, {0, 0, 1, 1, 2, 2}, {.n_columns = 100, .seed = 3});
  const Matrix S = second_moments(pooled);
  const Moments moments = Moments::of_samples(pooled);
  const TrialData moved = std::move(pooled);
  expect_same(moments, Moments(S));
}

TEST(Moments, TakeTheFormThatIsSmaller) {
  const Trials few = wide_trials(80, 0.2), many = wide_trials(1200, 0.2);
  const TrialData few_data(few), many_data(many);
  expect_same(Moments(few_data, 3), Moments(second_moments(few_data)));
  expect_same(Moments(many_data, 3), Moments::of_samples(many_data));
}

TEST(Moments, OfSamplesScaleChannelsWithGapsUpToAllTimePoints) {
  const Trials trials = wide_trials(80, 0.3);
  const TrialData data(trials);
  const Matrix S = second_moments(data);
  const Moments moments = Moments::of_samples(data);
  EXPECT_LT((moments.diagonal() - S.diagonal()).norm(), testing::kSolve * S.norm());
  // Off the diagonal every moment is between nothing and what it is pair by pair, on average.
  const Matrix estimate = moments.times(Matrix::Identity(80, 80));
  EXPECT_GT(estimate.cwiseProduct(S).sum(), 0.9 * estimate.norm() * S.norm());
}

TEST(Moments, OfChannelsThatAreMissingTogetherAreExact) {
  Trials trials = wide_trials(80, 0.0);
  for (Matrix& y : trials.values) y.col(1).head(80).setConstant(std::numeric_limits<double>::quiet_NaN());
  const TrialData data(trials);
  expect_same(Moments::of_samples(data), Moments(second_moments(data)));
}

Matrix in_full(const Moments& moments) {
  return moments.times(Matrix::Identity(moments.n_channels(), moments.n_channels()));
}

TEST(Moments, HaveTheSameBitsWhereEveryPairWasObserved) {
  for (const double missing : {0.0, 0.3}) {
    const Trials trials = wide_trials(80, missing);
    const TrialData data(trials);
    EXPECT_EQ(in_full(Moments(data, 3)), in_full(Moments(second_moments(data))));
  }
}

// Four components, many time points, little noise: sessions that share channels determine all moments.
Trials low_rank_trials(Index n_channels, Index n_times) {
  Trials trials;
  Random random(8, 3);
  const Matrix loading = random.normal(n_channels, 4).cwiseMax(0.0);
  for (int m = 0; m < 8; ++m) {  // drawn one after the other: operands have no order
    const Matrix noise = 0.05 * random.normal(n_channels, n_times);
    trials.values.push_back(loading * random.normal(4, n_times).cwiseAbs() + noise);
  }
  return trials;
}

void expect_completed(Index n_channels, Index n_times, Index in_common) {
  const Trials trials = low_rank_trials(n_channels, n_times);
  const Trials apart = testing::in_two_sessions(trials, in_common);
  const TrialData full_data(trials), data(apart);
  const Matrix full = second_moments(full_data), completed = in_full(Moments(data, 4));
  const Index n = (n_channels - in_common) / 2;
  EXPECT_LT((completed - full).topRightCorner(n, n).norm(), 0.1 * full.topRightCorner(n, n).norm());
  EXPECT_LT((completed - full).norm(), 0.1 * full.norm());
  const Vector values =
      Eigen::SelfAdjointEigenSolver<Matrix>(completed, Eigen::EigenvaluesOnly).eigenvalues();
  EXPECT_GT(values(0), -1e-12 * values(n_channels - 1));
}

TEST(Moments, OfPairsThatWereNeverObservedAreCompletedAtLowRank) {
  expect_completed(40, 100, 20);
  expect_completed(40, 100, 10);
}

TEST(Moments, OfSamplesAreCompletedToo) {
  ASSERT_FALSE(Moments::is_dense(1030, 8 * 20));
  expect_completed(1030, 20, 300);
}

TEST(Dictionary, IsTheSameFromBothFormsOfTheMoments) {
  const Trials trials = wide_trials(80, 0.0);
  const TrialData data(trials);
  Random first(9, 1), second(9, 1);
  const DictionaryOptions options{.is_nonnegative = true};
  const Matrix a = sparse_dictionary(Moments::of_samples(data), 3, options, first);
  const Matrix b = sparse_dictionary(Moments(second_moments(data)), 3, options, second);
  EXPECT_LT((a - b).norm(), testing::kSolve);
}

}  // namespace
}  // namespace milcci
