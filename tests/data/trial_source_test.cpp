#include "milcci/trial_source.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <limits>

#include "data/check_trials.hpp"
#include "milcci/files.hpp"
#include "milcci/fit.hpp"
#include "support/expect_error.hpp"
#include "support/random_problem.hpp"

namespace milcci {
namespace {

using testing::expect_error;

const TrialsInfo& info_of(const Trials& trials) {
  return trials;
}

// The values of all trials in one array, as an analyst has them: a row per time point, with `n_more` columns
// that are not wanted before and after the channels.
template <class Scalar>
struct Table {
  Index n_columns;
  std::vector<Scalar> numbers;
  std::vector<BorrowedTrial> trials;

  explicit Table(const Trials& source, Index n_more = 0) : n_columns(source.n_channels() + 2 * n_more) {
    std::vector<std::size_t> first;
    for (const Matrix& y : source.values) {
      first.push_back(numbers.size() + static_cast<std::size_t>(n_more));
      for (Index t = 0; t < y.cols(); ++t) {
        numbers.insert(numbers.end(), static_cast<std::size_t>(n_more), Scalar{-99});
        for (Index n = 0; n < y.rows(); ++n) numbers.push_back(static_cast<Scalar>(y(n, t)));
        numbers.insert(numbers.end(), static_cast<std::size_t>(n_more), Scalar{-99});
      }
    }
    for (std::size_t m = 0; m < first.size(); ++m)
      trials.push_back(
          {.values = numbers.data() + first[m], .n_times = source.n_times(m), .time_stride = n_columns});
  }
};

Trials rounded_to_float(Trials trials) {
  for (Matrix& y : trials.values) y = y.cast<float>().cast<double>();
  return trials;
}

void expect_same_values(const TrialSource& found, const std::vector<Matrix>& expected) {
  TrialBuffer buffer;
  ASSERT_EQ(found.n_trials(), expected.size());
  for (std::size_t m = 0; m < expected.size(); ++m) {
    const Matrix y = found.doubles(m, buffer);
    ASSERT_EQ(y.rows(), expected[m].rows());
    ASSERT_EQ(y.cols(), expected[m].cols());
    EXPECT_TRUE(
        ((y.array() == expected[m].array()) || (y.array().isNaN() && expected[m].array().isNaN())).all());
  }
}

void expect_same_model(const FitResult& a, const FitResult& b) {
  EXPECT_EQ(a.summary.r2, b.summary.r2);
  EXPECT_EQ(a.summary.data_fingerprint, b.summary.data_fingerprint);
  ASSERT_EQ(a.model.traces.size(), b.model.traces.size());
  for (std::size_t m = 0; m < a.model.traces.size(); ++m) EXPECT_EQ(a.model.traces[m], b.model.traces[m]);
  for (std::size_t k = 0; k < a.model.categories.size(); ++k)
    EXPECT_EQ(a.model.categories[k].variants, b.model.categories[k].variants);
}

// Hands on what another source has, and counts the trials that were copied on the way.
class CountingStore : public TrialStore {
 public:
  explicit CountingStore(TrialSource base) : base_(std::move(base)) {}
  std::size_t n_trials() const override { return base_.n_trials(); }
  Index n_channels() const override { return base_.n_channels(); }
  Index n_times(std::size_t trial) const override { return base_.n_times(trial); }
  bool is_float(std::size_t trial) const override { return base_.is_float(trial); }
  TrialValues values(std::size_t trial, TrialBuffer& buffer) const override {
    const TrialValues y = base_.values(trial, buffer);
    ++n_read;
    n_copied += y.doubles() ? y.doubles() == buffer.doubles.data() : y.floats() == buffer.floats.data();
    return y;
  }
  mutable std::atomic<int> n_read = 0, n_copied = 0;

 private:
  TrialSource base_;
};

TEST(TrialSource, ReadsTrialsWhereTheyLie) {
  const Trials trials = testing::random_trials({});
  const TrialSource source(trials);
  TrialBuffer buffer;
  EXPECT_EQ(source.values(3, buffer).doubles(), trials.values[3].data());
  EXPECT_EQ(&source.labels(), &trials.labels);
  Trials moved = trials;
  const double* values = moved.values[3].data();
  EXPECT_EQ(TrialSource(std::move(moved)).values(3, buffer).doubles(), values);
}

TEST(TrialSource, ReadsBorrowedDoublesAndFloatsWhereTheyLie) {
  const Trials trials = rounded_to_float(testing::random_trials({.missing = 0.1}));
  const Table<double> doubles(trials);
  const Table<float> floats(trials);
  const TrialSource of_doubles = borrow_trials(trials.n_channels(), doubles.trials, info_of(trials)),
                    of_floats = borrow_trials(trials.n_channels(), floats.trials, info_of(trials));
  TrialBuffer buffer;
  EXPECT_EQ(of_doubles.values(0, buffer).doubles(), doubles.numbers.data());
  EXPECT_EQ(of_floats.values(0, buffer).floats(), floats.numbers.data());
  EXPECT_EQ(buffer.doubles.size() + buffer.floats.size(), 0);
  expect_same_values(of_doubles, trials.values);
  expect_same_values(of_floats, trials.values);
  EXPECT_EQ(fingerprint(of_floats), fingerprint(trials));
}

TEST(TrialSource, CopiesWhatLiesAcrossIntoTheBuffer) {
  const Trials trials = rounded_to_float(testing::random_trials({.missing = 0.1}));
  const Table<double> doubles(trials, 2);
  const Table<float> floats(trials, 1);
  expect_same_values(borrow_trials(trials.n_channels(), doubles.trials, info_of(trials)), trials.values);
  expect_same_values(borrow_trials(trials.n_channels(), floats.trials, info_of(trials)), trials.values);
  // Channel after channel, as C-ordered channel x time.
  std::vector<Matrix> transposed;
  std::vector<BorrowedTrial> views;
  for (const Matrix& y : trials.values) transposed.push_back(y.transpose());
  for (const Matrix& y : transposed)
    views.push_back({.values = y.data(), .n_times = y.rows(), .time_stride = 1, .channel_stride = y.rows()});
  expect_same_values(borrow_trials(trials.n_channels(), views, info_of(trials)), trials.values);
}

TEST(TrialSource, KeepsTheOwnerOfBorrowedMemoryAlive) {
  const Trials trials = testing::random_trials({});
  auto table = std::make_shared<const Table<double>>(trials);
  const std::weak_ptr<const void> watched = table;
  std::optional<TrialSource> kept;
  {
    const TrialSource whole = borrow_trials(trials.n_channels(), table->trials, info_of(trials), table);
    kept = whole.some_trials({5, 2});
  }
  table.reset();
  EXPECT_FALSE(watched.expired());
  expect_same_values(*kept, {trials.values[5], trials.values[2]});
  kept.reset();
  EXPECT_TRUE(watched.expired());
}

TEST(TrialSource, TakesSomeTrialsSeveralTimesWithoutCopyingThem) {
  const Trials trials = testing::random_trials({.has_times = true});
  const TrialSource some = TrialSource(trials).some_trials({4, 4, 0});
  TrialBuffer buffer;
  EXPECT_EQ(some.values(0, buffer).doubles(), trials.values[4].data());
  EXPECT_EQ(some.values(1, buffer).doubles(), trials.values[4].data());
  EXPECT_EQ(some.times()[2], trials.times[0]);
  EXPECT_EQ(std::get<LabelColumn::Integers>(some.labels()[0].values), (LabelColumn::Integers{2, 2, 1}));
  expect_error(ErrorKind::bad_input, {"14", "there are 14"}, [&] {
    TrialSource(trials).some_trials({0, 14});
  });
}

TEST(TrialSource, TakesSomeChannels) {
  const Trials trials = testing::random_trials({.missing = 0.1});
  const TrialSource some = TrialSource(trials).some_channels({7, 0});
  std::vector<Matrix> expected;
  for (const Matrix& y : trials.values) expected.push_back(y(std::vector<Index>{7, 0}, Eigen::all));
  expect_same_values(some, expected);
  EXPECT_EQ(some.channel_names(), (std::vector<std::string>{"c8", "c1"}));
  expect_error(ErrorKind::bad_input, {"-1", "9"}, [&] { TrialSource(trials).some_channels({-1}); });
}

TEST(TrialSource, PutsOtherLabelsOnTheSameValues) {
  const Trials trials = testing::random_trials({});
  const TrialSource source =
      TrialSource(trials).with_labels({{"side", LabelColumn::Integers(trials.n_trials(), 1)}});
  TrialBuffer buffer;
  EXPECT_EQ(source.values(3, buffer).doubles(), trials.values[3].data());
  EXPECT_EQ(source.find_label("level"), nullptr);
  EXPECT_EQ(source.find_label("side")->number(0), 1.0);
}

TEST(TrialSource, RefusesShapesThatDoNotFit) {
  Trials trials = testing::random_trials({});
  Table<double> table(trials);
  expect_error(ErrorKind::bad_input, {"14 channel names", "13 channels"}, [&] {
    Trials other = trials;
    other.channel_names.resize(14);
    check_trials(borrow_trials(13, table.trials, info_of(other)));
  });
  expect_error(ErrorKind::bad_input, {"'level'", "14 values", "13 trials"}, [&] {
    check_trials(borrow_trials(9, {table.trials.begin(), table.trials.end() - 1}, info_of(trials)));
  });
  table.trials[2].time_stride = 0;
  expect_error(ErrorKind::bad_input, {"trial 3", "time points 0 values apart"},
               [&] { borrow_trials(9, table.trials, info_of(trials)); });
  table.trials[1].values = static_cast<const float*>(nullptr);
  expect_error(ErrorKind::bad_input, {"trial 2", "no address"},
               [&] { borrow_trials(9, table.trials, info_of(trials)); });
  trials.values[4] = Matrix::Ones(7, 5);
  expect_error(ErrorKind::bad_input, {"trial 5", "7 channels", "expected 9"}, [&] { TrialSource{trials}; });
}

TEST(TrialSource, ChecksFloatsAsItChecksDoubles) {
  const Trials trials = testing::random_trials({});
  Table<float> table(trials);
  table.numbers[1 * 9 + 3] = std::numeric_limits<float>::infinity();
  expect_error(ErrorKind::bad_input, {"trial 1", "'c4'", "time point 2", "inf"},
               [&] { check_trials(borrow_trials(9, table.trials, info_of(trials))); });
}

TEST(FitOfASource, IsTheFitOfTheSameTrialsToTheLastBit) {
  for (const double missing : {0.0, 0.1}) {
    const Trials trials = rounded_to_float(testing::random_trials({.missing = missing}));
    FitOptions options = testing::two_categories(), single = options;
    single.precision = Precision::float32;
    const FitResult expected = fit(trials, options), expected_single = fit(trials, single);
    for (const Index n_more : {0, 3}) {
      const Table<double> doubles(trials, n_more);
      expect_same_model(fit(borrow_trials(9, doubles.trials, info_of(trials)), options), expected);
      const Table<float> floats(trials, n_more);
      expect_same_model(fit(borrow_trials(9, floats.trials, info_of(trials)), options), expected_single);
      options.threads = 3;
    }
    expect_same_model(fit(TrialSource(Trials(trials)), options), expected);
  }
}

TEST(FitOfASource, AppliesTanhAndSinglePrecisionToBorrowedTrials) {
  const Trials trials = rounded_to_float(testing::random_trials({}));
  FitOptions options = testing::two_categories();
  options.transform = Transform::tanh;
  const Table<double> doubles(trials);
  expect_same_model(fit(borrow_trials(9, doubles.trials, info_of(trials)), options), fit(trials, options));
  FitOptions single = options;
  single.precision = Precision::float32;
  const Table<float> floats(trials);
  expect_same_model(fit(borrow_trials(9, floats.trials, info_of(trials)), options), fit(trials, single));
  expect_same_model(fit(Trials(trials), single), fit(trials, single));
}

TEST(FitOfASource, OfResampledTrialsIsTheFitOfTheirCopies) {
  const Trials trials = testing::random_trials({.missing = 0.1, .has_times = true});
  const std::vector<std::size_t> which = {0, 1, 1, 2, 3, 3, 3, 8, 9, 12, 13, 5};
  Trials copies;
  copies.channel_names = trials.channel_names;
  LabelColumn::Integers level;
  LabelColumn::Texts side;
  for (const std::size_t m : which) {
    copies.values.push_back(trials.values[m]);
    copies.times.push_back(trials.times[m]);
    level.push_back(std::get<LabelColumn::Integers>(trials.labels[0].values)[m]);
    side.push_back(std::get<LabelColumn::Texts>(trials.labels[1].values)[m]);
  }
  copies.labels = {{"level", level}, {"side", side}};
  FitOptions options = testing::two_categories();
  options.smoothness = 0.1;
  expect_same_model(fit(TrialSource(trials).some_trials(which), options), fit(copies, options));
}

TEST(FitOfASource, CopiesNoValues) {
  const Trials trials = testing::random_trials({});
  const Table<double> doubles(trials);
  const Table<float> floats(trials);
  const TrialSource sources[] = {trials, borrow_trials(9, doubles.trials, info_of(trials)),
                                 borrow_trials(9, floats.trials, info_of(trials)),
                                 TrialSource(trials).some_trials({0, 1, 2, 3, 3, 4, 5, 5})};
  for (const TrialSource& source : sources) {
    const auto counting = std::make_shared<const CountingStore>(source);
    TrialsInfo info;
    info.channel_names = source.channel_names();
    info.labels = source.labels();
    fit(TrialSource(counting, info), testing::two_categories());
    EXPECT_GT(counting->n_read, 0);
    EXPECT_EQ(counting->n_copied, 0);
  }
}

}  // namespace
}  // namespace milcci
