// Signals below zero are told from noise about zero, be it white or smooth.
#include "data/negative_signal.hpp"

#include <gtest/gtest.h>

#include "milcci/simulate.hpp"

namespace milcci {
namespace {

SimulateOptions small() {
  SimulateOptions options;
  options.n_channels = 30;
  options.n_trials = 40;
  options.min_length = options.max_length = 100;
  return options;
}

TEST(NegativeSignal, IsNotWhatNoiseMakes) {
  for (const double noise : {0.1, 1.0, 3.0})
    for (const double smoothing : {0.0, 1.0, 3.0}) {
      SimulateOptions options = small();
      options.noise = noise;
      options.noise_smoothing = smoothing;
      EXPECT_TRUE(find_negative_channels(simulate(options)).empty()) << noise << ", " << smoothing;
      options.pure_noise = true;
      EXPECT_TRUE(find_negative_channels(simulate(options)).empty()) << noise << ", " << smoothing;
    }
}

TEST(NegativeSignal, IsFoundUnderNoise) {
  for (const bool has_dynamics : {false, true}) {
    SimulateOptions options = small();
    options.is_signed = true;
    options.dynamics = has_dynamics;
    options.noise = 0.7;
    options.zero_share = 0.3;
    EXPECT_GT(find_negative_channels(simulate(options)).size(), 10u);
  }
}

// Signs change every few samples.
TEST(NegativeSignal, MayBeFast) {
  SimulateOptions options = small();
  options.is_signed = true;
  options.length_scale_min = options.length_scale_max = 0.01;
  options.noise = 0.5;
  options.zero_share = 0.3;
  EXPECT_GT(find_negative_channels(simulate(options)).size(), 15u);
}

TEST(NegativeSignal, IsFoundInFewTrials) {
  SimulateOptions options = small();
  options.n_trials = 12;
  options.max_length = options.min_length = 40;
  options.noise = 0.3;
  EXPECT_TRUE(find_negative_channels(simulate(options)).empty());
  options.is_signed = true;
  EXPECT_GT(find_negative_channels(simulate(options)).size(), 10u);
}

TEST(NegativeSignal, IsToldChannelByChannel) {
  SimulateOptions options = small();
  options.noise = 0.5;
  options.zero_share = 0.1;  // every channel is a member of some component
  Trials trials = simulate(options);
  for (Matrix& y : trials.values) y.row(4) = -y.row(4), y.row(9).array() -= 5.0;
  EXPECT_EQ(find_negative_channels(trials), (std::vector<Index>{4, 9}));
}

TEST(NegativeSignal, IsWhatIsBelowZeroWhereTrialsAreTooShortToTell) {
  Trials trials;
  trials.channel_names = {"a", "b"};
  trials.values.assign(5, Matrix::Ones(2, 2));
  EXPECT_TRUE(find_negative_channels(trials).empty());
  trials.values[3](1, 0) = -0.1;
  EXPECT_EQ(find_negative_channels(trials), std::vector<Index>{1});
  for (Matrix& y : trials.values) y.conservativeResize(1, 2);
  trials.channel_names.pop_back();
  trials.values.resize(50, -trials.values[0]);
  EXPECT_EQ(find_negative_channels(trials), std::vector<Index>{0}) << "one channel has no other to tell";
}

TEST(NegativeSignal, IsTakenFromObservedValues) {
  SimulateOptions options = small();
  options.is_signed = true;
  options.missing = 0.3;
  options.zero_share = 0.3;
  const Trials trials = simulate(options);
  EXPECT_GT(find_negative_channels(trials).size(), 15u);
}

}  // namespace
}  // namespace milcci
