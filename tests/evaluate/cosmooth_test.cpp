// Right components predict channels that the traces have not seen; components of single channels, and those
// of other channels, do not, however well they reconstruct.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "milcci/evaluate.hpp"
#include "milcci/fit.hpp"
#include "milcci/simulate.hpp"
#include "support/expect_error.hpp"
#include "support/random_problem.hpp"
#include "support/tolerances.hpp"
#include "support/truth_model.hpp"

namespace milcci {
namespace {

using testing::expect_error;
using testing::kExact;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Few zeros, so that every channel belongs to some component.
SimulateOptions small() {
  return {.n_channels = 30, .n_trials = 40, .min_length = 20, .max_length = 30, .zero_share = 0.3};
}

FitOptions plain() {
  FitOptions options;
  options.ridge = 0;
  options.threads = 1;
  return options;
}

// One category without labels, whose components are the columns of A.
Model fixed_model(const Trials& trials, const Matrix& A) {
  Model model;
  model.channel_names = trials.channel_names;
  FittedCategory fixed;
  fixed.category.spec = {
      .name = "fixed", .n_components = static_cast<int>(A.cols()), .kind = CategoryKind::fixed};
  fixed.category.options = {"fixed"};
  fixed.category.option_of_trial.assign(trials.n_trials(), 0);
  fixed.category.graph = LabelGraph::constant(1, 0.0);
  fixed.variants = {A};
  model.categories = {fixed};
  return model;
}

std::vector<double> channel_r2(const CoSmoothing& cosmoothing) {
  std::vector<double> r2;
  for (const PredictedChannel& channel : cosmoothing.channels) r2.push_back(channel.r2);
  return r2;
}

std::vector<int> folds_of(const CoSmoothing& cosmoothing) {
  std::vector<int> folds;
  for (const PredictedChannel& channel : cosmoothing.channels) folds.push_back(channel.fold);
  return folds;
}

double r2_of_transform(const Model& model, const Trials& trials) {
  FitResult fitted{.model = model, .summary = {}};
  fitted.summary.options = plain();
  return transform(fitted, trials).summary.r2;
}

TEST(CoSmoothing, OfTheTruthIsOneWithoutNoise) {
  const Trials trials = simulate(small());
  for (const NonNegative sign : {NonNegative::none, NonNegative::both}) {
    FitOptions options = plain();
    options.nonnegative = sign;
    const CoSmoothing cosmoothing = cosmooth(model_from_truth(trials), options, trials);
    EXPECT_GT(cosmoothing.r2, 1.0 - 1e-6);
    for (const PredictedChannel& channel : cosmoothing.channels) EXPECT_GT(channel.r2, 0.999) << channel.name;
  }
}

TEST(CoSmoothing, OfTheTruthIsOneOnNewTrials) {
  const Trials trials = simulate(small());
  SimulateOptions more = small();
  more.n_trials = 55;
  const Trials fresh = simulate(more);
  ASSERT_EQ(fresh.truth->categories[0].variants[0], trials.truth->categories[0].variants[0]);
  EXPECT_GT(cosmooth(model_from_truth(trials), plain(), fresh).r2, 1.0 - 1e-6);
}

TEST(CoSmoothing, IsLowWhereReconstructionIsHighButWrong) {
  const Trials trials = simulate(small());
  // As many components as channels, each a channel with some others at random.
  Random random(9, 9);
  Matrix dictionary = Matrix::Identity(30, 30);
  for (Index i = 0; i < dictionary.size(); ++i)
    if (random.uniform() < 0.2) dictionary.data()[i] += random.normal();
  const Model overfitted = fixed_model(trials, dictionary);
  EXPECT_NEAR(r2_of_transform(overfitted, trials), 1.0, testing::kSolve);
  EXPECT_LT(cosmooth(overfitted, plain(), trials).r2, 0.5);

  // One component per channel: perfect, and worth nothing.
  const Model identity = fixed_model(trials, Matrix::Identity(30, 30));
  EXPECT_NEAR(r2_of_transform(identity, trials), 1.0, kExact);
  const CoSmoothing nothing = cosmooth(identity, plain(), trials);
  EXPECT_LE(nothing.r2, 0.0);
  for (const double r2 : channel_r2(nothing)) EXPECT_LE(r2, 0.0);
}

TEST(CoSmoothing, IsLowForComponentsOfOtherChannels) {
  const Trials trials = simulate(small());
  Model model = model_from_truth(trials);
  for (FittedCategory& fitted : model.categories)
    for (Matrix& variant : fitted.variants) variant.colwise().reverseInPlace();
  EXPECT_LT(cosmooth(model, plain(), trials).r2, 0.5);
}

TEST(CoSmoothing, CannotPredictAChannelThatSharesNoComponent) {
  Trials trials = simulate(small());
  Random random(3, 3);
  Matrix A = Matrix::Zero(30, 3);
  A.col(0).segment(1, 20) = random.normal(20, 1).cwiseAbs();
  A.col(1).tail(18) = random.normal(18, 1).cwiseAbs();
  A(0, 2) = 1.0;
  for (Matrix& values : trials.values) values = A * random.normal(3, values.cols()).cwiseAbs();
  for (const NonNegative sign : {NonNegative::none, NonNegative::both}) {
    FitOptions options = plain();
    options.nonnegative = sign;
    const std::vector<double> r2 = channel_r2(cosmooth(fixed_model(trials, A), options, trials));
    EXPECT_LE(r2[0], 0.0);
    EXPECT_GT(*std::min_element(r2.begin() + 1, r2.end()), 0.99);
  }
}

// What the definition says, by the public functions alone: the channels of one fold marked as missing, the
// traces from `transform`. Calls visit(channel, value, prediction) for every observed entry.
template <class Visit>
void predict_by_gaps(const FitResult& fitted, const Trials& trials, const std::vector<int>& fold_of_channel,
                     const Visit& visit) {
  for (int fold = 0; fold <= *std::max_element(fold_of_channel.begin(), fold_of_channel.end()); ++fold) {
    Trials masked = trials;
    const auto is_out = [&](Index n) { return fold_of_channel[static_cast<std::size_t>(n)] == fold; };
    for (Matrix& values : masked.values)
      for (Index n = 0; n < trials.n_channels(); ++n)
        if (is_out(n)) values.row(n).setConstant(kNaN);
    const Model predicted = transform(fitted, masked).model;
    for (std::size_t m = 0; m < trials.n_trials(); ++m) {
      const Matrix prediction = predicted.reconstruction(m);
      for (Index t = 0; t < prediction.cols(); ++t)
        for (Index n = 0; n < trials.n_channels(); ++n)
          if (is_out(n) && !std::isnan(trials.values[m](n, t)))
            visit(n, trials.values[m](n, t), prediction(n, t));
    }
  }
}

// Mean of every channel over observed entries, of f(value).
template <class Function>
Vector channel_means(const Trials& trials, const Function& f) {
  Vector sum = Vector::Zero(trials.n_channels()), count = sum;
  for (const Matrix& values : trials.values)
    for (Index t = 0; t < values.cols(); ++t)
      for (Index n = 0; n < values.rows(); ++n)
        if (!std::isnan(values(n, t))) sum(n) += f(values(n, t)), count(n) += 1.0;
  return sum.array() / count.array();
}

double r2_by_gaps(const FitResult& fitted, const Trials& trials, const std::vector<int>& fold_of_channel) {
  const bool is_tanh = fitted.summary.options.transform == Transform::tanh;
  const auto in_model = [&](double value) { return is_tanh ? std::tanh(value) : value; };
  const Vector mean = channel_means(trials, in_model);
  double error = 0, variation = 0;
  predict_by_gaps(fitted, trials, fold_of_channel, [&](Index n, double value, double prediction) {
    error += std::pow(in_model(value) - prediction, 2);
    variation += std::pow(in_model(value) - mean(n), 2);
  });
  return 1.0 - error / variation;
}

// Log-likelihood of Poisson counts, with the factorial.
double log_poisson(double count, double rate) {
  return count * std::log(rate) - rate - std::lgamma(count + 1);
}

double bits_by_gaps(const FitResult& fitted, const Trials& trials, const std::vector<int>& fold_of_channel) {
  const Vector mean = channel_means(trials, [](double value) { return value; });
  double gain = 0, n_spikes = 0;
  predict_by_gaps(fitted, trials, fold_of_channel, [&](Index n, double count, double prediction) {
    const double rate = std::max(prediction, mean(n) / 100);
    gain += log_poisson(count, rate) - log_poisson(count, mean(n));
    n_spikes += count;
  });
  return gain / (n_spikes * std::log(2.0));
}

TEST(CoSmoothing, IsWhatTransformPredictsForChannelsMarkedAsMissing) {
  const auto expect_the_same = [](const Trials& trials, const FitOptions& options) {
    SCOPED_TRACE(to_json(options));
    const FitResult fitted = fit(trials, options);
    const CoSmoothing cosmoothing = cosmooth(fitted.model, fitted.summary.options, trials, {.folds = 3});
    EXPECT_NEAR(cosmoothing.r2, r2_by_gaps(fitted, trials, folds_of(cosmoothing)), testing::kIterated);
  };
  FitOptions options = testing::two_categories();
  options.missing_weight = 0.0;  // what is held out is not there at all, not even as a weak zero
  options.max_iterations = 20;
  expect_the_same(testing::random_trials({.seed = 41}), options);
  const Trials gappy = testing::random_trials({.missing = 0.1, .has_times = true, .seed = 42});
  expect_the_same(gappy, options);
  options.smoothness = 0.5;
  options.nonnegative = NonNegative::both;
  expect_the_same(gappy, options);
  options.transform = Transform::tanh;
  expect_the_same(gappy, options);
  options.transform = Transform::none;
  options.prior = TracePrior::lds;
  expect_the_same(gappy, options);
}

TEST(CoSmoothing, OfCountsIsTheirPoissonLikelihoodInBitsPerSpike) {
  SimulateOptions simulated = small();
  simulated.counts = 0.7;
  for (const double missing : {0.0, 0.1}) {
    simulated.missing = missing;
    const Trials trials = simulate(simulated);
    FitResult fitted{.model = model_from_truth(trials), .summary = {}};
    fitted.summary.options = plain();
    fitted.summary.options.missing_weight = 0.0;
    fitted.summary.options.nonnegative = NonNegative::both;
    const CoSmoothing cosmoothing = cosmooth(fitted.model, fitted.summary.options, trials, {.folds = 3});
    ASSERT_TRUE(cosmoothing.bits_per_spike);
    EXPECT_NEAR(*cosmoothing.bits_per_spike, bits_by_gaps(fitted, trials, folds_of(cosmoothing)),
                testing::kIterated);
    // The whole is the mean of the channels, by their spikes.
    const Vector mean = channel_means(trials, [](double value) { return value; });
    double bits = 0, spikes = 0;
    for (Index n = 0; n < trials.n_channels(); ++n) {
      double count = 0;
      for (const Matrix& y : trials.values) count += y.row(n).array().isNaN().select(0.0, y.row(n)).sum();
      if (count == 0) continue;
      bits += count * cosmoothing.channels[static_cast<std::size_t>(n)].bits_per_spike, spikes += count;
    }
    EXPECT_NEAR(*cosmoothing.bits_per_spike, bits / spikes, 1e-3);
  }
}

// Perfect knowledge of the rates: bits per spike are the information of the rates about the counts.
TEST(CoSmoothing, OfManyCountsKnowsWhatTheRatesTell) {
  SimulateOptions simulated = small();
  simulated.counts = 300;
  const Trials trials = simulate(simulated);
  FitOptions options = plain();
  options.nonnegative = NonNegative::both;
  const CoSmoothing cosmoothing = cosmooth(model_from_truth(trials), options, trials);
  const Vector mean = channel_means(trials, [](double value) { return value; });
  double information = 0, n_spikes = 0;
  for (std::size_t m = 0; m < trials.n_trials(); ++m) {
    const Matrix rate = true_loading(trials, m) * trials.truth->traces[m];
    for (Index t = 0; t < rate.cols(); ++t)
      for (Index n = 0; n < rate.rows(); ++n) {
        if (rate(n, t) > 0) information += rate(n, t) * std::log2(rate(n, t) / mean(n));
        n_spikes += rate(n, t);
      }
  }
  EXPECT_NEAR(*cosmoothing.bits_per_spike, information / n_spikes, 0.03);
}

TEST(CoSmoothing, HasBitsPerSpikeOfCountsOnly) {
  SimulateOptions simulated = small();
  simulated.counts = 1;
  Trials trials = simulate(simulated);
  const Model model = model_from_truth(trials);
  EXPECT_TRUE(cosmooth(model, plain(), trials).bits_per_spike);
  FitOptions with_tanh = plain();
  with_tanh.transform = Transform::tanh;
  EXPECT_FALSE(cosmooth(model, with_tanh, trials).bits_per_spike);
  for (const double value : {0.5, -1.0}) {
    const double kept = std::exchange(trials.values[2](3, 4), value);
    EXPECT_FALSE(cosmooth(model, plain(), trials).bits_per_spike) << value;
    trials.values[2](3, 4) = kept;
  }
  // A channel without a spike costs what is predicted of it, and has no number of its own.
  for (Matrix& y : trials.values) y.row(5).setZero();
  const CoSmoothing silent = cosmooth(model, plain(), trials);
  EXPECT_TRUE(std::isfinite(*silent.bits_per_spike));
  EXPECT_TRUE(std::isnan(silent.channels[5].bits_per_spike));
}

TEST(CoSmoothing, OfTheTruthIsHighOverGaps) {
  SimulateOptions simulated = small();
  simulated.missing = 0.2;
  const Trials trials = simulate(simulated);
  EXPECT_GT(cosmooth(model_from_truth(trials), plain(), trials).r2, 0.99);
}

TEST(CoSmoothing, StaysFiniteWhereNothingElseWasObserved) {
  Trials trials = simulate(small());
  trials.values[3].bottomRows(29).setConstant(kNaN);
  for (const TracePrior prior : {TracePrior::smoothness, TracePrior::lds}) {
    FitOptions options = plain();
    options.ridge.reset();
    options.prior = prior;
    EXPECT_TRUE(std::isfinite(cosmooth(model_from_truth(trials), options, trials).r2));
  }
}

TEST(CoSmoothing, HasNoNumberForChannelsThatNeverChange) {
  Trials trials = simulate(small());
  for (Matrix& values : trials.values) {
    values.row(4).setConstant(kNaN);
    values.row(7).setConstant(0.1);
  }
  const CoSmoothing cosmoothing = cosmooth(model_from_truth(trials), plain(), trials);
  EXPECT_TRUE(std::isnan(cosmoothing.channels[4].r2));
  EXPECT_TRUE(std::isnan(cosmoothing.channels[7].r2));
  EXPECT_TRUE(std::isfinite(cosmoothing.r2));
  EXPECT_EQ(cosmoothing.warnings.size(), 2u);
}

TEST(CoSmoothing, HasNoNumberIfNothingChanges) {
  Trials trials = simulate(small());
  for (Matrix& values : trials.values) values.setConstant(0.1);
  const CoSmoothing cosmoothing = cosmooth(model_from_truth(trials), plain(), trials);
  EXPECT_TRUE(std::isnan(cosmoothing.r2));
}

TEST(CoSmoothing, DoesNotDependOnTheOrderOfTheTrials) {
  SimulateOptions simulated = small();
  simulated.noise = 0.3;
  const Trials trials = simulate(simulated);
  Trials turned = trials;
  std::reverse(turned.values.begin(), turned.values.end());
  for (LabelColumn& column : turned.labels)
    std::visit([](auto& values) { std::reverse(values.begin(), values.end()); }, column.values);
  const CoSmoothing one = cosmooth(model_from_truth(trials), plain(), trials);
  const CoSmoothing other = cosmooth(model_from_truth(trials), plain(), turned);
  EXPECT_LT(one.r2, 0.99);
  EXPECT_NEAR(one.r2, other.r2, kExact);
  for (std::size_t n = 0; n < 30; ++n) EXPECT_NEAR(one.channels[n].r2, other.channels[n].r2, kExact);
}

TEST(CoSmoothing, HasTheSameBitsForAnyNumberOfThreads) {
  SimulateOptions simulated = small();
  simulated.noise = 0.3;
  simulated.missing = 0.1;
  const Trials trials = simulate(simulated);
  FitOptions options = plain();
  options.nonnegative = NonNegative::both;
  options.smoothness = 0.2;
  const CoSmoothing one = cosmooth(model_from_truth(trials), options, trials);
  options.threads = 3;
  const CoSmoothing three = cosmooth(model_from_truth(trials), options, trials);
  EXPECT_EQ(one.r2, three.r2);
  EXPECT_EQ(channel_r2(one), channel_r2(three));
}

TEST(CoSmoothing, DealsEveryChannelOnceAsTheSeedSays) {
  SimulateOptions simulated = small();
  simulated.noise = 0.3;
  const Trials trials = simulate(simulated);
  const auto with = [&](const CoSmoothingOptions& options) {
    return cosmooth(model_from_truth(trials), plain(), trials, options);
  };
  const CoSmoothing one = with({.folds = 4, .seed = 5}), again = with({.folds = 4, .seed = 5});
  EXPECT_EQ(one.r2, again.r2);
  EXPECT_EQ(channel_r2(one), channel_r2(again));
  EXPECT_EQ(folds_of(one), folds_of(again));
  EXPECT_EQ(one.seed, 5u);
  EXPECT_EQ(one.folds, 4);
  ASSERT_EQ(one.channels.size(), 30u);
  EXPECT_EQ(one.channels[11].name, trials.channel_names[11]);
  for (const int fold : {0, 1, 2, 3}) {
    const auto folds = folds_of(one);
    const auto n = std::count(folds.begin(), folds.end(), fold);
    EXPECT_TRUE(n == 7 || n == 8) << "30 channels in 4 folds";
  }
  const CoSmoothing other = with({.folds = 4, .seed = 6});
  EXPECT_NE(folds_of(one), folds_of(other));
  EXPECT_NE(one.r2, other.r2);
  EXPECT_NEAR(one.r2, other.r2, 0.1);
}

TEST(CoSmoothing, RefusesWhatItCannotFold) {
  const Trials trials = simulate(small());
  const Model model = model_from_truth(trials);
  for (const int folds : {-1, 1, 31})
    expect_error(ErrorKind::bad_option, {"`folds` = " + std::to_string(folds), "between 2 and 30"},
                 [&] { cosmooth(model, plain(), trials, {.folds = folds}); });
  EXPECT_EQ(cosmooth(model, plain(), trials, {.folds = 30}).folds, 30);

  Trials single = trials;
  for (Matrix& values : single.values) values.conservativeResize(1, Eigen::NoChange);
  single.channel_names.resize(1);
  expect_error(ErrorKind::bad_input, {"1 channel", "at least 2", "without co-smoothing"},
               [&] { cosmooth(fixed_model(single, Matrix::Ones(1, 1)), plain(), single); });
}

TEST(CoSmoothing, RefusesOtherChannels) {
  const Trials trials = simulate(small());
  Model model = model_from_truth(trials);
  model.channel_names[4] = "renamed";
  expect_error(ErrorKind::bad_input, {"channel 5", "'renamed'", "no channel of that name"},
               [&] { cosmooth(model, plain(), trials); });
  model.channel_names.pop_back();
  expect_error(ErrorKind::bad_input, {"30 channels", "29"}, [&] { cosmooth(model, plain(), trials); });
}

}  // namespace
}  // namespace milcci
