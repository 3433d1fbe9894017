// What a component must explain: a share of the data, and more than noise would let it.
#include "start/least_gain.hpp"

#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <cmath>

#include "util/random.hpp"

namespace milcci {
namespace {

Trials noise(Index n_channels, Index n_times) {
  Random random(3, 1);
  Trials trials;
  for (Index n = 0; n < n_channels; ++n) trials.channel_names.push_back(std::to_string(n));
  trials.values = {2.0 * random.normal(n_channels, n_times)};
  return trials;
}

TEST(LeastGain, IsAShareOfTheVariationWhereThatIsGiven) {
  const Trials trials = noise(10, 50);
  const TrialData data(trials);
  FitOptions options;
  options.categories = {{.name = "all", .n_components = 1, .kind = CategoryKind::fixed}};
  options.redundancy = 0.02;
  EXPECT_DOUBLE_EQ(least_gain(data, options, data.energy()), 0.02 * data.variation());
  options.redundancy.reset();
  options.penalties = PenaltyChoice::fixed;
  EXPECT_DOUBLE_EQ(least_gain(data, options, data.energy()), kDefaultRedundancy * data.variation());
}

// The best component of noise explains its largest singular value, squared.
TEST(LeastGain, IsMoreThanAComponentOfNoiseExplains) {
  for (const auto& [n_channels, n_times] : {std::pair{20, 400}, {100, 100}, {40, 2000}}) {
    const Trials trials = noise(n_channels, n_times);
    const TrialData data(trials);
    FitOptions options;
    options.categories = {{.name = "all", .n_components = 1, .kind = CategoryKind::fixed}};
    const double explained = std::pow(Eigen::JacobiSVD<Matrix>(trials.values[0]).singularValues()(0), 2);
    const double needed = least_gain(data, options, data.energy() - explained);
    EXPECT_GT(needed, explained);
    EXPECT_LT(needed, 1.5 * explained);
  }
}

}  // namespace
}  // namespace milcci
