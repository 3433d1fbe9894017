// Huber's loss: what it charges, and what the loop is given in its place.
#include "loop/huber.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "label_graphs/categories.hpp"
#include "support/random_problem.hpp"
#include "support/tolerances.hpp"

namespace milcci {
namespace {

// Random trials with gaps in a frame with offsets and weights, and a random state of them.
struct Problem {
  Trials trials;
  Design design;
  TrialData data;
  State state;

  explicit Problem(std::uint64_t seed)
      : trials(testing::random_trials({.missing = 0.1, .seed = seed})),
        design(
            make_design(resolve_categories(testing::two_categories().categories, trials), trials.n_trials())),
        data(trials) {
    Random random(seed, 9);
    const Index N = trials.n_channels();
    data.set_frame({.offset = random.normal(N, 1).col(0), .weight = random.normal(N, 1).col(0).cwiseAbs()});
    state = random_state(10 * seed);
  }
  State random_state(std::uint64_t seed) const {
    Random random(seed, 10);
    State drawn;
    for (std::size_t k = 0; k < design.n_categories(); ++k) {
      drawn.components.emplace_back();
      for (int i = 0; i < design.n_options(k); ++i)
        drawn.components.back().push_back(random.normal(trials.n_channels(), design.n_components(k)));
    }
    for (std::size_t m = 0; m < trials.n_trials(); ++m)
      drawn.traces.push_back(random.normal(data.n_times(m), design.n_components()));
    return drawn;
  }
  // Calls visit(residual) for every observed entry of `of`.
  template <class Visit>
  void visit_residuals(const TrialData& of, const State& at, const Visit& visit) const {
    TrialBuffer buffer;
    for (std::size_t m = 0; m < trials.n_trials(); ++m) {
      const Matrix A = loading(design, at.components, static_cast<std::size_t>(design.label_of_trial[m]));
      const Matrix residual = Matrix(of.values(m, buffer)) - A * at.traces[m].transpose();
      for (Index i = 0; i < residual.size(); ++i)
        if (!std::isnan(trials.values[m].data()[i])) visit(residual.data()[i]);
    }
  }
  double squares(const TrialData& of, const State& at) const {
    double sum = 0;
    visit_residuals(of, at, [&](double r) { sum += r * r; });
    return sum;
  }
  // Huber's loss in its usual form.
  double loss(const State& at, double c) const {
    double sum = 0;
    visit_residuals(data, at,
                    [&](double r) { sum += std::abs(r) <= c ? r * r : c * (2.0 * std::abs(r) - c); });
    return sum;
  }
};

constexpr double kLevel = 0.3, kWidth = kHuberWidth * kLevel;

TEST(Huber, TargetsAndTheirChargeAreTheLoss) {
  const Problem problem(3);
  const HuberTargets targets = huber_targets(problem.data, problem.design, problem.state, kLevel, 1);
  EXPECT_GT(targets.charge, 0.0);
  EXPECT_NEAR(
      (problem.squares(targets.data, problem.state) + targets.charge) / problem.loss(problem.state, kWidth),
      1.0, testing::kExact);
}

// So whatever lowers the squared errors of the targets by some amount lowers the loss by at least that.
TEST(Huber, TargetsBoundTheLossOfEveryOtherState) {
  const Problem problem(4);
  const HuberTargets targets = huber_targets(problem.data, problem.design, problem.state, kLevel, 1);
  for (std::uint64_t seed = 1; seed < 6; ++seed) {
    const State other = problem.random_state(seed);
    EXPECT_GE(problem.squares(targets.data, other) + targets.charge, problem.loss(other, kWidth));
  }
}

TEST(Huber, TargetsAreTheDataWhereNothingStandsOut) {
  const Problem problem(5);
  const HuberTargets targets = huber_targets(problem.data, problem.design, problem.state, 1e9, 3);
  EXPECT_EQ(targets.charge, 0.0);
  TrialBuffer a, b;
  for (std::size_t m = 0; m < problem.trials.n_trials(); ++m)
    EXPECT_EQ(Matrix(targets.data.values(m, a)), Matrix(problem.data.values(m, b)));
  EXPECT_EQ(targets.data.energy(), problem.data.energy());
}

TEST(Huber, KnowsWhatIsLeftOfTheVarianceOfNormalNoise) {
  double sum = 0;
  constexpr double kStep = 1e-4;
  for (double x = -10; x < 10; x += kStep)
    sum += kStep * std::min(x * x, kHuberWidth * kHuberWidth) * std::exp(-0.5 * x * x) / std::sqrt(2 * M_PI);
  EXPECT_NEAR(sum, kVarianceWithinHuber, 1e-5);
}

TEST(Huber, BeginsWithoutWhatIsFarFromAllOthers) {
  Trials trials = testing::random_trials({.n_trials = 100, .missing = 0.1, .seed = 6});
  TrialBuffer buffer;
  const Matrix before = TrialData(trials).values(0, buffer);
  trials.values[0](2, 1) = 1e6;
  const Matrix after = within_usual_range(TrialData(trials), 1).values(0, buffer);
  EXPECT_LT(after(2, 1), 100.0);
  EXPECT_LE(((after - before).array() != 0).count(), 1);
}

TEST(Huber, BeginsWithEveryEventOfChannelsThatAreMostlySilent) {
  Trials trials = testing::random_trials({.n_trials = 30, .seed = 8});
  for (Matrix& y : trials.values) y.row(4).setZero();
  trials.values[3](4, 2) = trials.values[7](4, 1) = 1.0;
  TrialBuffer buffer;
  EXPECT_EQ(within_usual_range(TrialData(trials), 1).values(3, buffer)(4, 2), 1.0);
}

TEST(Huber, HasTheSameBitsForAnyNumberOfThreads) {
  const Problem problem(7);
  const HuberTargets one = huber_targets(problem.data, problem.design, problem.state, kLevel, 1);
  const HuberTargets three = huber_targets(problem.data, problem.design, problem.state, kLevel, 3);
  EXPECT_EQ(one.charge, three.charge);
  EXPECT_EQ(one.data.energy(), three.data.energy());
}

}  // namespace
}  // namespace milcci
