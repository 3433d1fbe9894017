// The channels that the search works on where there are thousands, and the way back to all of them.
#include "start/channel_subset.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "label_graphs/categories.hpp"
#include "milcci/simulate.hpp"
#include "start/candidate.hpp"
#include "start/given_start.hpp"
#include "start/search.hpp"
#include "support/simulated_fit.hpp"
#include "util/random.hpp"

namespace milcci {
namespace {

constexpr Index kMany = 5000, kComponents = 4;

// Noise of standard deviation one.
Trials noise(Index n_channels, std::size_t n_trials = 2, Index n_times = 3) {
  Random random(7, 0);
  Trials trials;
  for (std::size_t m = 0; m < n_trials; ++m) trials.values.push_back(random.normal(n_channels, n_times));
  return trials;
}

std::vector<Index> chosen_of(const Trials& trials, std::uint64_t seed = 1) {
  return choose_channels(TrialData(trials), kComponents, seed);
}

template <class Belongs>
long count(const std::vector<Index>& channels, const Belongs& belongs) {
  return std::count_if(channels.begin(), channels.end(), belongs);
}

TEST(ChannelSubset, IsAllChannelsWhereTheyAreNotTooMany) {
  for (const Index n : {1, 30, 2048}) {
    const std::vector<Index> chosen = chosen_of(noise(n));
    ASSERT_EQ(std::ssize(chosen), n);
    for (Index i = 0; i < n; ++i) EXPECT_EQ(chosen[static_cast<std::size_t>(i)], i);
  }
}

TEST(ChannelSubset, IsSomeOfManyEachOnceAndTheSeedDecidesWhich) {
  const Trials trials = noise(kMany);
  const std::vector<Index> chosen = chosen_of(trials);
  EXPECT_EQ(std::ssize(chosen), n_chosen_channels(kMany));
  EXPECT_LT(n_chosen_channels(kMany), kMany);
  EXPECT_TRUE(std::is_sorted(chosen.begin(), chosen.end(), std::less_equal<>()));
  EXPECT_GE(chosen.front(), 0);
  EXPECT_LT(chosen.back(), kMany);
  EXPECT_EQ(chosen, chosen_of(trials));
  EXPECT_NE(chosen, chosen_of(trials, 2));
}

// A component on 20 channels of 5000, each a hundred times as strong as the others, and one on 2 % of
// the channels, no stronger than noise.
TEST(ChannelSubset, HasFewStrongChannelsAndAShareOfTheWeak) {
  Trials trials = noise(kMany);
  const auto is_strong = [](Index n) { return n % 250 == 0; };
  const auto is_weak = [](Index n) { return n % 50 == 1; };
  for (Matrix& y : trials.values)
    for (Index n = 0; n < kMany; ++n)
      if (is_strong(n)) y.row(n) *= 10.0;
  const std::vector<Index> chosen = chosen_of(trials);
  EXPECT_EQ(count(chosen, is_strong), 20);
  EXPECT_GE(count(chosen, is_weak), 5);
}

TEST(ChannelSubset, HasNoSilentChannel) {
  Trials trials = noise(kMany);
  for (Matrix& y : trials.values) y.bottomRows(kMany - 500).setZero();
  const std::vector<Index> chosen = chosen_of(trials);
  EXPECT_EQ(chosen.size(), 500u);
  EXPECT_EQ(chosen.back(), 499);
}

TEST(ChannelSubset, HasChannelsOfEveryGroup) {
  Trials trials = noise(kMany);
  const auto group_of = [](Index n) { return n < 30 ? n / 3 : 10 + n % 2; };  // ten small, two large ones
  for (Matrix& y : trials.values) y.topRows(30) *= 1e-3;
  for (Index n = 0; n < kMany; ++n) trials.channel_groups.push_back("group " + std::to_string(group_of(n)));
  for (const bool is_moved : {false, true}) {
    Trials copy = trials;
    const TrialData data = is_moved ? TrialData(std::move(copy)) : TrialData(trials);
    const std::vector<Index> chosen = choose_channels(data, kComponents, 1);
    EXPECT_EQ(std::ssize(chosen), n_chosen_channels(kMany));
    for (Index g = 0; g < 10; ++g) EXPECT_EQ(count(chosen, [&](Index n) { return group_of(n) == g; }), 3);
  }
}

TEST(ChannelSubset, StaysSmallWhereEveryChannelIsItsOwnGroup) {
  Trials trials = noise(kMany);
  for (Index n = 0; n < kMany; ++n) trials.channel_groups.push_back(std::to_string(n));
  EXPECT_EQ(std::ssize(chosen_of(trials)), n_chosen_channels(kMany));
}

// The second trial has 40 channels, weak ones, the first all others.
TEST(ChannelSubset, HasEnoughChannelsOfEveryTrial) {
  Trials trials = noise(kMany);
  trials.values[0].topRows(40).setConstant(std::numeric_limits<double>::quiet_NaN());
  trials.values[1].bottomRows(kMany - 40).setConstant(std::numeric_limits<double>::quiet_NaN());
  trials.values[1].topRows(40) *= 1e-3;
  EXPECT_GE(count(chosen_of(trials), [](Index n) { return n < 40; }), 4 * kComponents);
}

// Sparse components: each on 2 % of the channels.
struct Wide {
  SimulateOptions simulated = testing::small_paper();
  Trials trials;
  FitOptions options;
  TrialData data;
  Design design;
  Components truth;

  Wide()
      : trials(simulate(widened(simulated))),
        options(testing::options_for(simulated)),
        data(trials),
        design(make_design(resolve_categories(options.categories, trials), trials.n_trials())) {
    std::vector<std::string> warnings;
    options.threads = 1;
    truth = components_from(trials.truth->categories, design, data.n_channels(), options, warnings);
  }
  static SimulateOptions& widened(SimulateOptions& options) {
    options.n_channels = 3000;
    options.min_length = options.max_length = 10;
    options.zero_share = 0.98;
    options.noise = 0.1;
    return options;
  }
};

TEST(ChannelSubset, IsFilledInByOneUpdateWithTheTracesItHas) {
  const Wide wide;
  const std::vector<Index> chosen = choose_channels(wide.data, wide.design.n_components(), wide.options.seed);
  ASSERT_LT(std::ssize(chosen), wide.data.n_channels());
  Components some = wide.truth;
  for (std::vector<Matrix>& variants : some)
    for (Matrix& variant : variants) variant = variant(chosen, Eigen::all).colwise().normalized().eval();
  const Components all =
      fill_in(wide.data, wide.design, wide.options, chosen, some, Monitor([](const IterationRecord&) {
                return Continue::stop;  // an interruption comes too late for it
              }));
  EXPECT_GT(similarity(wide.design, wide.truth, all).minCoeff(), 0.98);
}

TEST(ChannelSubset, HasNothingToFillInWhereItIsAllChannels) {
  const Wide wide;
  std::vector<Index> all(static_cast<std::size_t>(wide.data.n_channels()));
  std::iota(all.begin(), all.end(), Index{0});
  EXPECT_EQ(fill_in(wide.data, wide.design, wide.options, all, wide.truth, Monitor()), wide.truth);
}

TEST(ChannelSubset, IsEnoughToFindSparseComponents) {
  Wide wide;
  wide.options.restarts = 8;
  const SearchResult one = search(wide.data, wide.design, wide.options, {});
  EXPECT_GT(similarity(wide.design, wide.truth, one.components).minCoeff(), 0.95);
  wide.options.threads = 3;
  const SearchResult other = search(wide.data, wide.design, wide.options, {});
  EXPECT_EQ(other.components, one.components);
  ASSERT_EQ(other.rivals.size(), one.rivals.size());
  for (std::size_t r = 0; r < one.rivals.size(); ++r)
    EXPECT_EQ(other.rivals[r].components, one.rivals[r].components);
}

}  // namespace
}  // namespace milcci
