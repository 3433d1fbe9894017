// Firing rates from spike times, where the answer is known.
#include "read/nwb/spike_rates.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "support/expect_error.hpp"

namespace milcci::read {
namespace {

constexpr double kForever = std::numeric_limits<double>::infinity();
constexpr double kRounding = 1e-9;
const Intervals kAlways = {{-kForever, kForever}};
// A spike train with its own spikes.
struct Train {
  std::vector<double> spikes;
  Intervals observed;
  operator SpikeTrain() const { return {spikes, observed}; }
};

Matrix rates_of(const Train& train, double begin, Index n_bins, const RateOptions& options = {}) {
  return spike_rates({train}, begin, n_bins, options);
}

const RateOptions kCounts{.bin_width = 0.1, .sigma = 0};

TEST(SpikeRates, AreCountsPerSecondWithoutSmoothing) {
  const Matrix rates = rates_of({{0.99, 1.05, 1.06, 1.25, 1.31}, kAlways}, 1.0, 3, kCounts);
  EXPECT_TRUE(rates.isApprox(Matrix{{20, 0, 10}}, kRounding)) << rates;
}

TEST(SpikeRates, OfASpikeFollowTheGaussianAndSumToOne) {
  const RateOptions options{.bin_width = 0.005, .sigma = 0.005, .window = 0.05};
  const Matrix rates = rates_of({{1.0525}, kAlways}, 1.0, 21, options);
  EXPECT_NEAR(rates.sum() * 0.005, 1, kRounding);
  EXPECT_NEAR(rates(0, 12) / rates(0, 10), std::exp(-2.0), kRounding);
  EXPECT_GT(rates(0, 15), 0) << "the window reaches 25 ms";
  EXPECT_EQ(rates(0, 16), 0) << "and no further";
}

TEST(SpikeRates, DoNotSinkAtTheEndsOfATrial) {
  Train steady{{}, kAlways};
  for (int i = 0; i < 1000; ++i) steady.spikes.push_back(0.005 * i + 0.0025);
  const Matrix rates = rates_of(steady, 1.0, 40);
  EXPECT_NEAR(rates.minCoeff(), 200, 1e-6);
  EXPECT_NEAR(rates.maxCoeff(), 200, 1e-6);
}

TEST(SpikeRates, AreMissingWhereAUnitWasNotObserved) {
  const Matrix rates = rates_of({{1.05, 1.15, 1.25}, {{1.1, 1.25}}}, 1.0, 3, kCounts);
  EXPECT_TRUE(std::isnan(rates(0, 0)));
  EXPECT_NEAR(rates(0, 1), 10, kRounding);
  EXPECT_TRUE(std::isnan(rates(0, 2))) << "half a bin is not enough";
}

TEST(SpikeRates, BesideAGapComeFromWhatWasObserved) {
  Train steady{{}, {{1.0, 1.2}}};
  for (int i = 0; i < 1000; ++i) steady.spikes.push_back(0.005 * i + 0.0025);
  const Matrix rates = rates_of(steady, 1.0, 40);
  EXPECT_NEAR(rates(0, 0), 200, 1e-6);
  EXPECT_NEAR(rates(0, 39), 200, 1e-6);
}

TEST(SpikeRates, CountEverySpikeOnce) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> anywhere(0, 10);
  Train train{{}, kAlways};
  for (int i = 0; i < 5000; ++i) train.spikes.push_back(anywhere(random));
  std::sort(train.spikes.begin(), train.spikes.end());
  const Matrix rates = rates_of(train, 2.0, 600, {.bin_width = 0.005, .sigma = 0});
  EXPECT_NEAR(rates.sum() * 0.005, activity(train, 2.0, 5.0).n_spikes, 1e-6);
}

TEST(SpikeRates, RefuseWidthsThatAreNone) {
  for (const RateOptions& options : {RateOptions{.bin_width = 0}, RateOptions{.bin_width = NAN},
                                     RateOptions{.sigma = -1}, RateOptions{.window = 1e9}})
    testing::expect_error(ErrorKind::bad_option, {"spike_rates"}, [&] { spike_rates({}, 0, 1, options); });
}

TEST(SpikeRates, ActivityKnowsOnlyWhatWasObserved) {
  const Train train{{1, 2, 3, 4}, {{0, 1.5}, {2.5, 3.5}}};
  const Activity found = activity(train, 0.5, 10);
  EXPECT_EQ(found.n_spikes, 2);
  EXPECT_NEAR(found.seconds, 2, kRounding);
}

TEST(SpikeRates, ABinMayMissARoundingError) {
  EXPECT_EQ(n_bins(0.1, 0.4, 0.1), 3);
  EXPECT_EQ(n_bins(0, 0.39, 0.1), 3);
  EXPECT_EQ(n_bins(2, 2, 0.1), 0);
}

TEST(Intervals, AreMergedAndCut) {
  const Intervals one = merged({{3, 4}, {1, 2}, {2, 2.5}, {5, 5}});
  ASSERT_EQ(one.size(), 2U);
  EXPECT_EQ(one[0].end, 2.5);
  const Intervals rest = without({{0, 10}}, one);
  ASSERT_EQ(rest.size(), 3U);
  EXPECT_EQ(rest[1].begin, 2.5);
  EXPECT_EQ(rest[2].end, 10);
  EXPECT_TRUE(without({{1, 2}}, {{0, 3}}).empty());
}

}  // namespace
}  // namespace milcci::read
