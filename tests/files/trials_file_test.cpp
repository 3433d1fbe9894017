#include <gtest/gtest.h>

#include "milcci/files.hpp"
#include "support/expect_error.hpp"
#include "support/results.hpp"
#include "support/temporary_directory.hpp"

namespace milcci {
namespace {

using testing::expect_error;
using testing::expect_same;
using testing::full_trials;
using testing::read_bytes;
using testing::TemporaryDirectory;

TEST(TrialsFile, RoundTripIsExact) {
  const TemporaryDirectory directory;
  write_trials(directory.file("t.h5"), full_trials());
  expect_same(full_trials(), read_trials(directory.file("t.h5")));
  EXPECT_EQ(file_kind(directory.file("t.h5")), FileKind::trials);
}

TEST(TrialsFile, OptionalPartsMayBeAbsent) {
  const TemporaryDirectory directory;
  Trials trials = full_trials();
  trials.channel_groups.clear();
  trials.times.clear();
  trials.trial_names.clear();
  trials.labels.clear();
  trials.history.clear();
  trials.truth.reset();
  write_trials(directory.file("t.h5"), trials);
  expect_same(trials, read_trials(directory.file("t.h5")));
}

TEST(TrialsFile, ATruthNeedNotKnowDynamicsOffsetAndNoise) {
  const TemporaryDirectory directory;
  Trials trials = full_trials();
  trials.truth->transitions.clear();
  trials.truth->offset.resize(0);
  write_trials(directory.file("noise.h5"), trials);
  expect_same(trials, read_trials(directory.file("noise.h5")));
  trials.truth->noise.resize(0);
  write_trials(directory.file("none.h5"), trials);
  expect_same(trials, read_trials(directory.file("none.h5")));
}

TEST(TrialsFile, OddShapesRoundTrip) {
  const TemporaryDirectory directory;
  const auto round_trip = [&](const std::vector<Index>& lengths, Index n_channels) {
    Trials trials;
    for (const Index length : lengths) trials.values.push_back(Matrix::Random(n_channels, length));
    trials.channel_names.assign(static_cast<std::size_t>(n_channels), "c");
    write_trials(directory.file("t.h5"), trials, Overwrite::yes);
    expect_same(trials, read_trials(directory.file("t.h5")));
  };
  round_trip({}, 0);
  round_trip({}, 3);
  round_trip({0}, 3);
  round_trip({0, 5, 0}, 3);
  round_trip({5, 5}, 0);
  round_trip({1}, 1);
  round_trip({100000, 1, 7, 50000, 1}, 3);  // longer than one chunk, and a remainder
  round_trip(std::vector<Index>(300, 17), 5);
}

// Trials of unequal length share chunks.
TEST(TrialsFile, IsTheSameForAnyNumberOfThreads) {
  const TemporaryDirectory directory;
  Trials trials;
  for (Index m = 0; m < 60; ++m) trials.values.push_back(Matrix::Random(40, 1 + (m * 97) % 301));
  trials.channel_names.assign(40, "c");
  for (std::size_t n = 0; n < 40; ++n) trials.channel_names[n] += std::to_string(n);
  write_trials(directory.file("t.h5"), trials);
  for (const int threads : {0, 1, 2, 7}) expect_same(trials, read_trials(directory.file("t.h5"), threads));
}

TEST(TrialsFile, SameTrialsGiveTheSameBytes) {
  const TemporaryDirectory directory;
  write_trials(directory.file("a.h5"), full_trials());
  write_trials(directory.file("b.h5"), full_trials());
  EXPECT_TRUE(read_bytes(directory.file("a.h5")) == read_bytes(directory.file("b.h5")));
}

TEST(TrialsFile, TrialsThatDoNotFitTogetherAreNotWritten) {
  const TemporaryDirectory directory;
  const auto refused = [&](const auto& spoil, const std::vector<std::string>& words) {
    Trials trials = full_trials();
    spoil(trials);
    expect_error(ErrorKind::bad_input, words, [&] { write_trials(directory.file("t.h5"), trials); });
    EXPECT_TRUE(directory.names().empty());
  };
  refused([](Trials& t) { t.values[2].conservativeResize(3, 9); }, {"trial 2", "3, must be 4"});
  refused([](Trials& t) { t.channel_groups.pop_back(); }, {"channel groups"});
  refused([](Trials& t) { t.times.pop_back(); }, {"times"});
  refused([](Trials& t) { t.times[1].resize(3); }, {"times of trial 1", "3, must be 1"});
  refused([](Trials& t) { t.labels[0].values = LabelColumn::Texts{"a"}; }, {"`choice`", "1, must be 5"});
  refused([](Trials& t) { t.labels[1].name = "choice"; }, {"two label columns", "`choice`"});
  refused([](Trials& t) { t.truth->traces[0].resize(2, 6); }, {"true traces of trial 0"});
  refused([](Trials& t) { t.truth->categories[0].variants[1].resize(4, 1); }, {"`a/b %.`"});
  refused([](Trials& t) { t.truth->categories[0].options.pop_back(); }, {"option names"});
  refused([](Trials& t) { t.truth->transitions.pop_back(); }, {"true transitions", "4, must be 5"});
  refused([](Trials& t) { t.truth->transitions[2].resize(3, 2); }, {"transition", "2, must be 3"});
  refused([](Trials& t) { t.truth->offset.resize(3); }, {"true offset", "3, must be 4"});
  refused([](Trials& t) { t.truth->noise.resize(5); }, {"true noise", "5, must be 4"});
  refused([](Trials& t) { t.channel_names[1] = std::string("a\0b", 3); }, {"zero byte"});
}

TEST(Fingerprint, DependsOnValuesLabelsAndChannelNamesOnly) {
  const std::string before = fingerprint(full_trials());
  EXPECT_EQ(before.size(), 16u);
  EXPECT_EQ(before.find_first_not_of("0123456789abcdef"), std::string::npos);
  const auto after = [](const auto& change) {
    Trials trials = full_trials();
    change(trials);
    return fingerprint(trials);
  };
  EXPECT_NE(before, after([](Trials& t) { t.values[3](1, 1) += 1e-15; }));
  EXPECT_NE(before, after([](Trials& t) { std::swap(t.values[0], t.values[4]); }));
  EXPECT_NE(before, after([](Trials& t) { t.channel_names[0] = "V2"; }));
  EXPECT_NE(before, after([](Trials& t) { t.labels[0].name = "c"; }));
  EXPECT_NE(before, after([](Trials& t) { std::get<LabelColumn::Texts>(t.labels[0].values)[2] = ""; }));
  EXPECT_NE(before, after([](Trials& t) { std::get<LabelColumn::Integers>(t.labels[1].values)[2] = 7; }));
  EXPECT_EQ(before, after([](Trials& t) { t.truth.reset(); }));
  EXPECT_EQ(before, after([](Trials& t) { t.values[0](2, 3) = -t.values[0](2, 3); })) << "any NaN is missing";
}

TEST(Fingerprint, TellsTextBoundariesApart) {
  Trials a, b;
  a.channel_names = {"ab", "c"};
  b.channel_names = {"a", "bc"};
  EXPECT_NE(fingerprint(a), fingerprint(b));
}

TEST(Fingerprint, SurvivesTheFile) {
  const TemporaryDirectory directory;
  write_trials(directory.file("t.h5"), full_trials());
  EXPECT_EQ(fingerprint(full_trials()), fingerprint(read_trials(directory.file("t.h5"))));
}

}  // namespace
}  // namespace milcci
