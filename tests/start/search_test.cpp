// The search for a start: a tournament that lets the better ones go on, and finds the truth.
#include "start/search.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "label_graphs/categories.hpp"
#include "start/candidate.hpp"
#include "start/given_start.hpp"
#include "support/simulated_fit.hpp"

namespace milcci {
namespace {

struct Searching {
  Trials trials;
  FitOptions options = testing::options_for(testing::small_paper());
  TrialData data;
  Design design;

  explicit Searching(int restarts = 16)
      : trials(simulate(testing::small_paper())),
        data(trials),
        design(make_design(resolve_categories(options.categories, trials), trials.n_trials())) {
    options.restarts = restarts;
    options.threads = 2;
  }
  SearchResult result() const { return search(data, design, options, {}); }
};

long n_in_round(const SearchResult& result, int round) {
  return std::count_if(result.candidates.begin(), result.candidates.end(),
                       [&](const CandidateRecord& c) { return c.round >= round; });
}

TEST(Search, HoldsATournamentInWhichTheBetterHalfGoesOn) {
  const SearchResult result = Searching(16).result();
  ASSERT_EQ(result.candidates.size(), 16u);
  EXPECT_EQ(n_in_round(result, 1), 16);
  EXPECT_EQ(n_in_round(result, 2), 8);
  EXPECT_EQ(n_in_round(result, 3), 4);
  EXPECT_EQ(n_in_round(result, 4), 2);  // the finalists
}

TEST(Search, KeepsAsManyFinalistsAsAskedFor) {
  Searching searching(8);
  searching.options.candidates = 3;
  EXPECT_EQ(n_in_round(searching.result(), 4), 3);
  searching.options.candidates = 100;  // more than there are
  EXPECT_EQ(n_in_round(searching.result(), 4), 8);
}

// Objectives are comparable within a round; the winner is the best of its own.
TEST(Search, RanksItsCandidatesBestFirst) {
  const SearchResult result = Searching(16).result();
  EXPECT_EQ(result.candidates.front().behind, 0.0);
  EXPECT_NEAR(result.candidates.front().similarity, 1.0, 1e-12);
  for (std::size_t c = 1; c < result.candidates.size(); ++c) {
    const CandidateRecord &a = result.candidates[c - 1], &b = result.candidates[c];
    EXPECT_GE(a.round, b.round);
    EXPECT_GE(b.behind, 0.0);
    if (a.round == b.round) {
      EXPECT_LE(a.objective, b.objective);
    }
  }
  // Every stream once.
  std::vector<std::uint64_t> streams;
  for (const CandidateRecord& c : result.candidates) streams.push_back(c.stream);
  std::sort(streams.begin(), streams.end());
  for (std::size_t c = 0; c < streams.size(); ++c) EXPECT_EQ(streams[c], c);
}

TEST(Search, HoldsMoreTournamentsUntilTheBestAnswerWasFoundOftenEnough) {
  Searching searching(2);
  searching.options.candidates = 1;  // found once in a tournament
  searching.options.effort = Effort::quick;
  EXPECT_EQ(searching.result().candidates.size(), 2u);
  EXPECT_EQ(searching.result().times_found, 1);
  searching.options.effort = Effort::thorough;
  const SearchResult thorough = searching.result();
  EXPECT_GE(thorough.times_found, 4);
  EXPECT_GE(thorough.candidates.size(), 8u);
}

TEST(Search, BeginsNothingNewWhenItIsLate) {
  Searching searching(2);
  searching.options.candidates = 1;
  searching.options.effort = Effort::thorough;
  const SearchResult result =
      search(searching.data, searching.design, searching.options, {}, [] { return true; });
  EXPECT_EQ(result.candidates.size(), 2u);
  EXPECT_FALSE(result.is_interrupted);
  EXPECT_TRUE(result.is_cut_short);
  EXPECT_TRUE(result.certainty.empty());  // no other answer was looked for
}

TEST(Search, CallsTheComponentsOfAnEasyProblemFirm) {
  const SearchResult result = Searching(16).result();
  EXPECT_TRUE(result.rivals.empty());
  ASSERT_EQ(result.certainty.size(), 4u);
  for (const Certainty word : result.certainty) EXPECT_EQ(word, Certainty::firm);
}

TEST(Search, FindsTheComponentsAndTheirCategories) {
  const Searching searching;
  const SearchResult result = searching.result();
  std::vector<std::string> warnings;
  const Components truth =
      components_from(searching.trials.truth->categories, searching.design, 30, searching.options, warnings);
  EXPECT_GT(similarity(searching.design, truth, result.components).minCoeff(), 0.97);
  EXPECT_EQ(result.stability.size(), 4);
  EXPECT_GT(result.stability.minCoeff(), 0.0);
  EXPECT_LE(result.stability.maxCoeff(), 1.0);
  EXPECT_FALSE(result.is_interrupted);
}

// From single time points it finds none of the four (0.40 to 0.65).
TEST(Search, FindsSmoothTracesUnderMuchNoise) {
  SimulateOptions simulated = testing::small_paper();
  simulated.noise = 3.0;
  simulated.n_trials = 60;
  simulated.min_length = simulated.max_length = 200;
  const Trials trials = simulate(simulated);
  FitOptions options = testing::options_for(simulated);
  options.restarts = 4;
  const Design design = make_design(resolve_categories(options.categories, trials), trials.n_trials());
  std::vector<std::string> warnings;
  const Components truth = components_from(trials.truth->categories, design, 30, options, warnings);
  const SearchResult result = search(TrialData(trials), design, options, {});
  EXPECT_GT(similarity(design, truth, result.components).minCoeff(), 0.9);
}

TEST(Search, LeavesSurplusComponentsAliveWhereRedundancyIsZero) {
  Searching searching(4);
  searching.options.categories[1].n_components = 4;
  searching.design = make_design(resolve_categories(searching.options.categories, searching.trials), 30);
  const auto n_dead = [&] {
    const Components components = searching.result().components;
    int n = 0;
    for (const auto& variants : components)
      for (Index j = 0; j < variants[0].cols(); ++j) n += variants[0].col(j).isZero(0.0);
    return n;
  };
  EXPECT_EQ(n_dead(), 2);
  searching.options.redundancy = 0;
  EXPECT_EQ(n_dead(), 0);
}

TEST(Search, GivesTheSameBitsForAnyNumberOfThreads) {
  Searching searching(5);
  searching.options.threads = 1;
  const SearchResult one = searching.result();
  for (const int threads : {2, 3, 7}) {
    searching.options.threads = threads;
    const SearchResult other = searching.result();
    EXPECT_EQ(other.components, one.components);
    EXPECT_EQ(other.stability, one.stability);
    for (std::size_t c = 0; c < one.candidates.size(); ++c) {
      EXPECT_EQ(other.candidates[c].stream, one.candidates[c].stream);
      EXPECT_EQ(other.candidates[c].objective, one.candidates[c].objective);
    }
  }
}

}  // namespace
}  // namespace milcci
