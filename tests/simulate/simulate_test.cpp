// Simulated trials have the sizes, labels, noise and gaps that were asked for, and their truth makes them.
#include "milcci/simulate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "milcci/error.hpp"
#include "support/truth_model.hpp"

namespace milcci {
namespace {

SimulateOptions small() {
  SimulateOptions options;
  options.n_channels = 20;
  options.n_trials = 40;
  options.min_length = options.max_length = 30;
  return options;
}

std::map<std::string, int> trials_per_cell(const Trials& trials) {
  std::map<std::string, int> count;
  for (std::size_t m = 0; m < trials.n_trials(); ++m) {
    std::string cell;
    for (const LabelColumn& column : trials.labels) cell += column.text(m) + "/";
    ++count[cell];
  }
  return count;
}

double missing_share(const Trials& trials) {
  double n = 0, n_missing = 0;
  for (const Matrix& trial : trials.values) {
    n += static_cast<double>(trial.size());
    n_missing += static_cast<double>(trial.array().isNaN().count());
  }
  return n_missing / n;
}

// Equal to the last bit, with missing entries equal to missing entries.
bool are_equal(const std::vector<Matrix>& a, const std::vector<Matrix>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t m = 0; m < a.size(); ++m) {
    if (a[m].rows() != b[m].rows() || a[m].cols() != b[m].cols()) return false;
    for (Index e = 0; e < a[m].size(); ++e)
      if (a[m].data()[e] != b[m].data()[e] && !(std::isnan(a[m].data()[e]) && std::isnan(b[m].data()[e])))
        return false;
  }
  return true;
}

TEST(Simulate, DefaultsAreValid) {
  EXPECT_TRUE(violations(SimulateOptions{}).empty());
}

TEST(Simulate, PaperPresetHasThePapersSizes) {
  const Trials trials = simulate(preset("paper"));
  ASSERT_EQ(trials.n_trials(), 250u);
  for (const Matrix& trial : trials.values) {
    EXPECT_EQ(trial.rows(), 80);
    EXPECT_EQ(trial.cols(), 500);
  }
  EXPECT_EQ(trials.channel_names.front(), "channel1");
  EXPECT_EQ(trials.channel_names.back(), "channel80");
  ASSERT_TRUE(trials.truth);
  ASSERT_EQ(trials.truth->categories.size(), 2u);
  EXPECT_EQ(trials.truth->categories[0].options, (std::vector<std::string>{"1", "2", "3", "4", "5"}));
  EXPECT_EQ(trials.truth->categories[1].options, (std::vector<std::string>{"left", "right"}));
  for (const CategoryComponents& category : trials.truth->categories) EXPECT_EQ(category.n_components(), 2);
  EXPECT_TRUE(trials.find_label("difficulty")->is_numeric());
  EXPECT_FALSE(trials.find_label("choice")->is_numeric());
  const auto cells = trials_per_cell(trials);
  EXPECT_EQ(cells.size(), 10u);
  for (const auto& [cell, count] : cells) EXPECT_EQ(count, 25) << cell;
}

TEST(Simulate, RecordingPresetHasTheRecordingsSizes) {
  const Trials trials = simulate(preset("recording"));
  ASSERT_EQ(trials.n_trials(), 1011u);
  EXPECT_EQ(trials.n_channels(), 270);
  std::set<Index> lengths;
  for (const Matrix& trial : trials.values) lengths.insert(trial.cols());
  EXPECT_EQ(*lengths.begin(), 110);
  EXPECT_EQ(*lengths.rbegin(), 164);
  const auto& categories = trials.truth->categories;
  ASSERT_EQ(categories.size(), 4u);
  EXPECT_EQ(categories[0].name, "trial_number");
  EXPECT_EQ(categories[0].n_options(), 1011u);
  EXPECT_EQ(categories[0].options.back(), "1011");
  EXPECT_EQ(categories[3].name, "fixed");
  EXPECT_EQ(categories[3].options, std::vector<std::string>{"all"});
  EXPECT_EQ(trials.labels.size(), 2u) << "trial number and fixed need no label column";
}

TEST(Simulate, UnknownPresetIsRefusedByName) {
  try {
    preset("papr");
    FAIL() << "not refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bad_option);
    EXPECT_NE(std::string(error.what()).find("papr"), std::string::npos);
  }
}

TEST(Simulate, TruthMakesTheValuesOfEveryKindOfCategory) {
  SimulateOptions options = small();
  options.categories = {{"day", 1, 3, CategoryKind::ordinal},
                        {"cue", 2, 4, CategoryKind::categorical},
                        {"animal", 1, 2, CategoryKind::free},
                        {"trial_number", 1, 1, CategoryKind::trial_number},
                        {"fixed", 1, 1, CategoryKind::fixed}};
  options.min_length = 20;
  const Trials trials = simulate(options);
  for (std::size_t m = 0; m < trials.n_trials(); ++m) {
    const Matrix product = true_loading(trials, m) * trials.truth->traces[m];
    EXPECT_LT((product - trials.values[m]).cwiseAbs().maxCoeff(), 1e-12);
  }
}

TEST(Simulate, NoiseHasTheAskedShareOfTheStandardDeviation) {
  SimulateOptions options = small();
  const Trials clean = simulate(options);
  options.noise = 0.25;
  const Trials noisy = simulate(options);
  double n = 0, sum = 0, squares = 0, noise_squares = 0;
  for (std::size_t m = 0; m < clean.n_trials(); ++m) {
    n += static_cast<double>(clean.values[m].size());
    sum += clean.values[m].sum();
    squares += clean.values[m].squaredNorm();
    noise_squares += (noisy.values[m] - clean.values[m]).squaredNorm();
  }
  const double deviation = std::sqrt(squares / n - sum * sum / (n * n));
  EXPECT_NEAR(std::sqrt(noise_squares / n) / deviation, 0.25, 0.01);  // 24000 draws: error about 0.001
  EXPECT_TRUE(are_equal(clean.truth->traces, noisy.truth->traces)) << "noise must leave the truth alone";
}

TEST(Simulate, ScatteredGapsHaveTheAskedShare) {
  SimulateOptions options = small();
  options.missing = 0.2;
  const Trials trials = simulate(options);
  EXPECT_NEAR(missing_share(trials), 0.2, 0.02);
  EXPECT_TRUE(are_equal(simulate(options).values, trials.values));
}

TEST(Simulate, BlockGapsHaveTheAskedShareInRunsOfNeighbouringChannels) {
  for (const double share : {0.1, 0.5, 0.95}) {
    SimulateOptions options = small();
    options.missing = share;
    options.missing_pattern = MissingPattern::blocks;
    const Trials trials = simulate(options);
    EXPECT_NEAR(missing_share(trials), share, 0.005);
    // An entry is missing mostly where the entry before it is: that is what makes a run.
    double n_missing = 0, n_after_missing = 0;
    for (const Matrix& trial : trials.values)
      for (Index t = 1; t < trial.cols(); ++t)
        for (Index n = 0; n < trial.rows(); ++n) {
          if (!std::isnan(trial(n, t))) continue;
          ++n_missing;
          if (std::isnan(trial(n, t - 1))) ++n_after_missing;
        }
    EXPECT_GT(n_after_missing / n_missing, share + 0.5 * (1.0 - share)) << "share " << share;
  }
}

TEST(Simulate, EveryTrialKeepsAnObservedEntry) {
  SimulateOptions options = small();
  options.n_channels = 3;
  options.min_length = options.max_length = 2;
  options.missing = 0.99;
  for (const auto pattern : {MissingPattern::scattered, MissingPattern::blocks}) {
    options.missing_pattern = pattern;
    const Trials trials = simulate(options);
    for (const Matrix& trial : trials.values) EXPECT_FALSE(trial.array().isNaN().all());
  }
}

TEST(Simulate, LabelsAreBalancedAsFarAsPossible) {
  SimulateOptions options = small();
  options.n_trials = 43;
  const auto cells = trials_per_cell(simulate(options));
  EXPECT_EQ(cells.size(), 10u);
  for (const auto& [cell, count] : cells) EXPECT_TRUE(count == 4 || count == 5) << cell << " has " << count;
}

TEST(Simulate, ImbalanceOfOneHalvesEveryNextOption) {
  SimulateOptions options = small();
  options.categories = {{"cue", 2, 4, CategoryKind::ordinal}};
  options.n_trials = 150;
  options.imbalance = 1;
  const auto cells = trials_per_cell(simulate(options));
  EXPECT_EQ(cells.at("1/"), 80);
  EXPECT_EQ(cells.at("2/"), 40);
  EXPECT_EQ(cells.at("3/"), 20);
  EXPECT_EQ(cells.at("4/"), 10);
}

TEST(Simulate, EveryOptionOccursHoweverRareItIs) {
  SimulateOptions options = small();
  options.imbalance = 10;
  options.n_trials = 8;
  const Trials trials = simulate(options);
  std::set<std::string> difficulties, choices;
  for (std::size_t m = 0; m < trials.n_trials(); ++m) {
    difficulties.insert(trials.find_label("difficulty")->text(m));
    choices.insert(trials.find_label("choice")->text(m));
  }
  EXPECT_EQ(difficulties.size(), 5u);
  EXPECT_EQ(choices.size(), 2u);
}

TEST(Simulate, EmptyCellsStayEmptyWhileEveryOptionOccurs) {
  for (std::uint64_t seed = 0; seed < 10; ++seed)
    for (int n_empty = 0; n_empty <= 5; ++n_empty) {
      SimulateOptions options = small();
      options.n_empty_cells = n_empty;
      options.seed = seed;
      const Trials trials = simulate(options);
      EXPECT_EQ(trials_per_cell(trials).size(), 10u - static_cast<std::size_t>(n_empty));
      std::set<std::string> difficulties, choices;
      for (std::size_t m = 0; m < trials.n_trials(); ++m) {
        difficulties.insert(trials.find_label("difficulty")->text(m));
        choices.insert(trials.find_label("choice")->text(m));
      }
      EXPECT_EQ(difficulties.size(), 5u);
      EXPECT_EQ(choices.size(), 2u);
    }
}

TEST(Simulate, SameSeedMakesTheSameDataAndAnotherSeedOthers) {
  SimulateOptions options = small();
  options.noise = 0.1;
  options.missing = 0.1;
  const Trials first = simulate(options), again = simulate(options);
  options.seed = 1;
  const Trials other = simulate(options);
  EXPECT_TRUE(are_equal(first.values, again.values));
  EXPECT_FALSE(are_equal(first.values, other.values));
  EXPECT_FALSE(are_equal(first.truth->traces, other.truth->traces));
  EXPECT_FALSE(are_equal(first.truth->categories[0].variants, other.truth->categories[0].variants));
}

TEST(Simulate, SmallestPossibleDataCanBeMade) {
  SimulateOptions options;
  options.categories = {{"fixed", 1, 1, CategoryKind::fixed}};
  options.n_channels = options.n_trials = options.min_length = options.max_length = 1;
  options.shift = Shift::none;
  const Trials trials = simulate(options);
  EXPECT_TRUE(trials.labels.empty());
  EXPECT_TRUE(std::isfinite(trials.values[0](0, 0)));
  EXPECT_NE(trials.values[0](0, 0), 0.0);
}

}  // namespace
}  // namespace milcci
