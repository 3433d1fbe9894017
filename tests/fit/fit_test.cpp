// Whole fits: what must not change them, what they must report, what stops them.
#include "milcci/fit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "milcci/evaluate.hpp"
#include "support/expect_error.hpp"
#include "support/random_problem.hpp"
#include "support/tolerances.hpp"

namespace milcci {
namespace {

using testing::every_switch;
using testing::expect_error;
using testing::random_trials;
using testing::two_categories;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

double distance(const Model& a, const Model& b) {
  double largest = 0;
  for (std::size_t k = 0; k < a.categories.size(); ++k)
    for (std::size_t i = 0; i < a.categories[k].variants.size(); ++i)
      largest = std::max(largest,
                         (a.categories[k].variants[i] - b.categories[k].variants[i]).cwiseAbs().maxCoeff());
  return largest;
}

TEST(Fit, IsFreeOfTheUnitOfTheData) {
  Trials trials = random_trials({.seed = 3});
  FitOptions options = two_categories();
  options.nonnegative = NonNegative::both;
  options.smoothness = 0.5;
  options.decorrelation = 0.01;
  const FitResult one = fit(trials, options);
  for (Matrix& y : trials.values) y *= 1000.0;
  const FitResult thousand = fit(trials, options);
  EXPECT_LT(distance(one.model, thousand.model), testing::kIterated);
  EXPECT_NEAR(one.model.traces[0](0, 0) * 1000, thousand.model.traces[0](0, 0),
              1e-3 * one.model.traces[0].norm());
}

TEST(Fit, IsFreeOfTheNumberOfRepeatsOfTheTrials) {
  Trials trials = random_trials({.seed = 3});
  FitOptions options = two_categories();
  options.max_iterations = 20;
  const Start start = start_of(fit(trials, options).model);
  const FitResult once = fit(trials, options, {}, start);
  const Trials copy = trials;
  trials.values.insert(trials.values.end(), copy.values.begin(), copy.values.end());
  for (LabelColumn& label : trials.labels)
    std::visit(
        [](auto& v) {
          const auto c = v;
          v.insert(v.end(), c.begin(), c.end());
        },
        label.values);
  const FitResult twice = fit(trials, options, {}, start);
  EXPECT_LT(distance(once.model, twice.model), testing::kIterated);
}

TEST(Fit, PermutesWithTheChannels) {
  const Trials trials = random_trials({.missing = 0.1, .seed = 4});
  FitOptions options = two_categories();
  options.max_iterations = 25;
  const Start start = start_of(fit(trials, options).model);
  const FitResult plain = fit(trials, options, {}, start);
  const Index N = trials.n_channels();
  std::vector<Index> order(static_cast<std::size_t>(N));
  for (Index n = 0; n < N; ++n) order[static_cast<std::size_t>(n)] = (5 * n + 2) % N;
  Trials permuted = trials;
  for (Matrix& y : permuted.values) y = y(order, Eigen::all).eval();
  Start permuted_start = start;
  for (CategoryComponents& c : permuted_start)
    for (Matrix& a : c.variants) a = a(order, Eigen::all).eval();
  const FitResult other = fit(permuted, options, {}, permuted_start);
  for (std::size_t k = 0; k < plain.model.categories.size(); ++k)
    for (std::size_t i = 0; i < plain.model.categories[k].variants.size(); ++i)
      EXPECT_LT(
          (plain.model.categories[k].variants[i](order, Eigen::all) - other.model.categories[k].variants[i])
              .norm(),
          testing::kIterated);
}

TEST(Fit, DoesNotDependOnTheOrderOfTheTrials) {
  const Trials trials = random_trials({.seed = 5});
  FitOptions options = two_categories();
  options.max_iterations = 25;
  const Start start = start_of(fit(trials, options).model);
  Trials reversed = trials;
  std::reverse(reversed.values.begin(), reversed.values.end());
  for (LabelColumn& label : reversed.labels)
    std::visit([](auto& v) { std::reverse(v.begin(), v.end()); }, label.values);
  const FitResult a = fit(trials, options, {}, start), b = fit(reversed, options, {}, start);
  EXPECT_LT(distance(a.model, b.model), testing::kIterated);
  EXPECT_LT((a.model.traces.front() - b.model.traces.back()).norm(), 1e-4 * a.model.traces.front().norm());
}

TEST(Fit, GivesTheSameBitsForAnyNumberOfThreadsAndEveryTime) {
  const Trials trials = random_trials({.n_trials = 40, .missing = 0.1, .seed = 6});
  for (FitOptions options : {every_switch()[1], every_switch()[5]}) {
    options.restarts = 5;
    options.threads = 1;
    const FitResult one = fit(trials, options);
    for (const int threads : {1, 2, 3, 7}) {
      options.threads = threads;
      const FitResult other = fit(trials, options);
      EXPECT_EQ(distance(one.model, other.model), 0.0);
      for (std::size_t m = 0; m < trials.n_trials(); ++m)
        EXPECT_EQ(one.model.traces[m], other.model.traces[m]);
      EXPECT_EQ(one.summary.iterations.back().objective.total(),
                other.summary.iterations.back().objective.total());
    }
  }
}

TEST(Fit, KeepsTheSignsItWasAsked) {
  const Trials trials = random_trials({.seed = 7});
  FitOptions options = two_categories();
  for (const NonNegative sign : {NonNegative::components, NonNegative::traces, NonNegative::both}) {
    options.nonnegative = sign;
    const FitResult result = fit(trials, options);
    double smallest_membership = 0, smallest_trace = 0;
    for (const FittedCategory& c : result.model.categories)
      for (const Matrix& a : c.variants) smallest_membership = std::min(smallest_membership, a.minCoeff());
    for (const Matrix& phi : result.model.traces) smallest_trace = std::min(smallest_trace, phi.minCoeff());
    if (sign != NonNegative::traces) {
      EXPECT_EQ(smallest_membership, 0.0);
    }
    if (sign != NonNegative::components) {
      EXPECT_EQ(smallest_trace, 0.0);
    }
    if (sign == NonNegative::components) {
      EXPECT_LT(smallest_trace, 0.0);
    }
  }
}

TEST(Fit, ScalesMembershipsToSumOneAndOrdersByEnergy) {
  const FitResult result = fit(random_trials({.seed = 8}), two_categories());
  for (const FittedCategory& c : result.model.categories)
    for (const Matrix& a : c.variants)
      for (Index j = 0; j < a.cols(); ++j) EXPECT_NEAR(a.col(j).lpNorm<1>(), 1.0, testing::kExact);
  EXPECT_GE(result.summary.explained(0), result.summary.explained(1));
  EXPECT_NEAR(result.summary.explained.sum(), 1.0, testing::kExact);
  EXPECT_EQ(result.summary.category_gain.rows(), 3);
  EXPECT_EQ(result.summary.category_gain.cols(), 2);
}

TEST(Fit, AcceptsEveryKindOfCategoryTogether) {
  Trials trials = random_trials({.n_channels = 12, .n_trials = 20, .missing = 0.1, .seed = 9});
  LabelColumn::Reals x, y;
  for (int m = 0; m < 20; ++m) x.push_back(m % 2), y.push_back(m % 3);
  trials.labels.push_back({"x", x});
  trials.labels.push_back({"y", y});
  FitOptions options = two_categories();
  CategorySpec given{.name = "given", .n_components = 1, .kind = CategoryKind::graph, .columns = {"side"}};
  given.graph = (Matrix(2, 2) << 0, 1, 0, 0).finished();
  given.graph_options = {"left", "right"};
  options.categories = {
      {.name = "level", .n_components = 1, .kind = CategoryKind::ordinal},
      {.name = "side", .n_components = 1},
      {.name = "loose", .n_components = 1, .kind = CategoryKind::free, .columns = {"side"}},
      {.name = "place", .n_components = 1, .kind = CategoryKind::ordinal, .columns = {"x", "y"}},
      {.name = "trial_number", .n_components = 1, .kind = CategoryKind::trial_number},
      {.name = "fixed", .n_components = 1, .kind = CategoryKind::fixed},
      given};
  options.max_iterations = 30;
  const FitResult result = fit(trials, options);
  EXPECT_EQ(result.model.n_components(), 7);
  EXPECT_EQ(result.model.categories[4].variants.size(), 20u);
  EXPECT_GT(result.summary.r2, 0.5);
}

TEST(Fit, ToleratesOptionsOfOneTrialEmptyCellsAndQuietChannels) {
  Trials trials = random_trials({.n_trials = 9, .seed = 10});
  trials.labels[0].values = LabelColumn::Integers{1, 1, 1, 1, 2, 2, 2, 2, 77};
  trials.labels[1].values = LabelColumn::Texts{"a", "a", "a", "a", "b", "b", "b", "b", "b"};
  for (Matrix& y : trials.values) {
    y.row(2).setZero();
    y.row(3).setConstant(5.0);
    y.row(4).setConstant(kNan);
  }
  FitOptions options = two_categories();
  options.nonnegative = NonNegative::both;
  const FitResult result = fit(trials, options);
  EXPECT_EQ(result.model.categories[0].variants.size(), 3u);
  for (std::size_t m = 0; m < 9; ++m) {
    EXPECT_TRUE(result.model.traces[m].allFinite());
    EXPECT_LT(result.model.loading(m).row(2).norm(), testing::kIterated);  // always zero
    EXPECT_LT(result.model.loading(m).row(4).norm(), testing::kIterated);  // never observed
  }
  EXPECT_GE(result.summary.warnings.size(), 2u);  // constant, never observed
}

TEST(Fit, ReportsSurplusComponentsAsDeadRatherThanNan) {
  // One source; sparsity strong enough that further components find nothing.
  Random random(1, 1);
  Trials trials;
  Matrix a = Matrix::Zero(8, 1);
  a.topRows(3).setOnes();
  for (int m = 0; m < 6; ++m) trials.values.push_back(a * random.normal(1, 30).cwiseAbs());
  for (int n = 0; n < 8; ++n) trials.channel_names.push_back(std::to_string(n));
  trials.labels = {{"side", LabelColumn::Texts{"l", "r", "l", "r", "l", "r"}}};
  FitOptions options;
  options.categories = {{.name = "side", .n_components = 1}};
  options.nonnegative = NonNegative::both;
  Start start{{"side", {"l", "r"}, {Matrix::Zero(8, 1), Matrix::Zero(8, 1)}}};
  const FitResult dead = fit(trials, options, {}, start);
  EXPECT_EQ(dead.model.dead_components(), (std::vector<Index>{0}));
  for (const Matrix& phi : dead.model.traces) EXPECT_EQ(phi.norm(), 0.0);
  EXPECT_NE(dead.summary.warnings.front().find("no component is alive"), std::string::npos);
}

TEST(Fit, SaysWhenTheIterationLimitWasReached) {
  FitOptions options = two_categories();
  options.max_iterations = 2;
  options.tolerance = 0;
  const FitResult result = fit(random_trials({}), options);
  EXPECT_EQ(result.summary.reason, StopReason::iteration_limit);
  EXPECT_EQ(result.summary.iterations.size(), 2u);
  EXPECT_NE(result.summary.message.find("`max_iterations`"), std::string::npos);
}

TEST(Fit, EachPenaltyDoesWhatItsNameSays) {
  const Trials trials = random_trials({.n_trials = 20, .seed = 12});
  FitOptions base = two_categories();
  const FitResult plain = fit(trials, base);
  const Start start = start_of(plain.model);
  const auto zeros = [](const Model& model) {
    Index n = 0;
    for (const FittedCategory& c : model.categories)
      for (const Matrix& a : c.variants) n += (a.array() == 0).count();
    return n;
  };
  FitOptions sparse = base;
  sparse.sparsity = 0.5;
  EXPECT_GT(zeros(fit(trials, sparse, {}, start).model), zeros(plain.model));
  const auto spread = [](const Model& model) {
    return (model.categories[1].variants[0] - model.categories[1].variants[1]).norm();
  };
  FitOptions tied = base;
  tied.consistency = 100;
  EXPECT_LT(spread(fit(trials, tied, {}, start).model), 0.2 * spread(plain.model));
  const auto roughness = [](const Model& model) {
    double steps = 0, energy = 0;
    for (const Matrix& phi : model.traces) {
      steps += (phi.rightCols(phi.cols() - 1) - phi.leftCols(phi.cols() - 1)).squaredNorm();
      energy += phi.squaredNorm();
    }
    return steps / energy;
  };
  FitOptions smooth = base;
  smooth.smoothness = 10;
  EXPECT_LT(roughness(fit(trials, smooth, {}, start).model), 0.5 * roughness(plain.model));
  FitOptions other_seed = base;
  other_seed.seed = 99;
  EXPECT_GT(distance(fit(trials, other_seed).model, plain.model), 0.0);
}

TEST(Fit, RefusesWhatCannotBeFitted) {
  const Trials trials = random_trials({});
  FitOptions options = two_categories();
  options.categories[0].n_components = 9;
  expect_error(ErrorKind::bad_option, {"10 components", "9 channels"}, [&] { fit(trials, options); });
  options = two_categories();
  options.sparsity = -1;
  expect_error(ErrorKind::bad_option, {"sparsity", "-1"}, [&] { fit(trials, options); });
  Trials zero = trials;
  for (Matrix& y : zero.values) y.setZero();
  expect_error(ErrorKind::bad_input, {"zero"}, [&] { fit(zero, two_categories()); });
}

TEST(Fit, WarnsOfNegativeDataUnderNonNegativity) {
  FitOptions options = two_categories();
  options.nonnegative = NonNegative::both;
  options.max_iterations = 3;
  Trials trials = random_trials({});
  const auto is_warned = [&] {
    const std::vector<std::string> warnings = fit(trials, options).summary.warnings;
    return std::any_of(warnings.begin(), warnings.end(), [](const std::string& warning) {
      return warning.find("negative") != std::string::npos;
    });
  };
  for (Matrix& y : trials.values) y = y.cwiseAbs();
  EXPECT_FALSE(is_warned());
  for (Matrix& y : trials.values) y.row(0) *= -1.0;
  EXPECT_TRUE(is_warned());
}

TEST(Fit, OfTanhIsJudgedAgainstTanhOfTheData) {
  Trials trials = random_trials({.missing = 0.1, .seed = 13});
  FitOptions options = two_categories();
  options.transform = Transform::tanh;
  options.nonnegative = NonNegative::both;
  const FitResult result = fit(trials, options);
  EXPECT_NEAR(evaluate(result.model, trials).r2, result.summary.r2, testing::kSolve);
  for (Matrix& y : trials.values) y = y.array().tanh();
  options.transform = Transform::none;
  EXPECT_LT(distance(fit(trials, options).model, result.model), testing::kIterated);
}

TEST(Fit, InSinglePrecisionFindsTheSameComponents) {
  for (const double missing : {0.0, 0.1})
    for (const NonNegative sign : {NonNegative::both, NonNegative::none}) {
      // More channels than the widest vector, longer trials than are added up in float.
      const Trials trials = random_trials(
          {.n_channels = 37, .min_length = 60, .max_length = 80, .missing = missing, .seed = 14});
      FitOptions options = two_categories();
      options.nonnegative = sign;
      const FitResult whole = fit(trials, options);
      options.precision = Precision::float32;
      const FitResult single = fit(trials, options);
      EXPECT_LT(distance(whole.model, single.model), 1e-4);
      EXPECT_NEAR(whole.summary.r2, single.summary.r2, 1e-6);
    }
}

TEST(Fit, InSinglePrecisionKnowsNoUnits) {
  const Trials trials = random_trials({.n_channels = 37, .seed = 14});
  FitOptions options = two_categories();
  options.nonnegative = NonNegative::both;
  options.precision = Precision::float32;
  const FitResult result = fit(trials, options);
  for (const double unit : {0x1p-90, 0x1p90}) {  // squares of such data are no floats
    Trials scaled = trials;
    for (Matrix& y : scaled.values) y *= unit;
    EXPECT_LT(distance(fit(scaled, options).model, result.model), 1e-4);
  }
}

TEST(Fit, RefusesAStartOfAnotherShape) {
  const Trials trials = random_trials({});
  const FitOptions options = two_categories();
  Start start = start_of(fit(trials, options).model);
  start[0].variants[0].resize(4, 2);
  expect_error(ErrorKind::bad_input, {"'level'", "4 channels", "9"},
               [&] { fit(trials, options, {}, start); });
  start.erase(start.begin());
  expect_error(ErrorKind::bad_input, {"'level'"}, [&] { fit(trials, options, {}, start); });
}

}  // namespace
}  // namespace milcci
