#include "milcci/trial_source.hpp"

#include <fmt/format.h>

#include <utility>

#include "data/memory_store.hpp"
#include "milcci/error.hpp"

namespace milcci {
namespace {

std::vector<BorrowedTrial> views_of(const std::vector<Matrix>& values) {
  std::vector<BorrowedTrial> views;
  views.reserve(values.size());
  for (std::size_t m = 0; m < values.size(); ++m) {
    const Matrix& y = values[m];
    if (y.rows() != values.front().rows())
      throw Error(ErrorKind::bad_input,
                  fmt::format("trial {}: {} channels, expected {} as in trial 1; every trial must record the "
                              "same channels, fill those that were not recorded with NaN",
                              m + 1, y.rows(), values.front().rows()));
    views.push_back({.values = y.data(), .n_times = y.cols(), .time_stride = y.rows()});
  }
  return views;
}

std::shared_ptr<const TrialStore> keep(std::vector<Matrix> values) {
  const Index n_channels = values.empty() ? 0 : values.front().rows();
  auto owner = std::make_shared<const std::vector<Matrix>>(std::move(values));
  return std::make_shared<MemoryStore>(n_channels, views_of(*owner), owner);
}

// Some trials of another store.
class SubsetStore : public TrialStore {
 public:
  SubsetStore(std::shared_ptr<const TrialStore> base, std::vector<std::size_t> which)
      : base_(std::move(base)), which_(std::move(which)) {}
  std::size_t n_trials() const override { return which_.size(); }
  Index n_channels() const override { return base_->n_channels(); }
  Index n_times(std::size_t trial) const override { return base_->n_times(which_[trial]); }
  bool is_float(std::size_t trial) const override { return base_->is_float(which_[trial]); }
  TrialValues values(std::size_t trial, TrialBuffer& buffer) const override {
    return base_->values(which_[trial], buffer);
  }
  void will_need(std::size_t trial) const override { base_->will_need(which_[trial]); }

 private:
  std::shared_ptr<const TrialStore> base_;
  std::vector<std::size_t> which_;
};

// Some channels of another store.
class ChannelStore : public TrialStore {
 public:
  ChannelStore(std::shared_ptr<const TrialStore> base, std::vector<Index> which)
      : base_(std::move(base)), which_(std::move(which)) {}
  std::size_t n_trials() const override { return base_->n_trials(); }
  Index n_channels() const override { return static_cast<Index>(which_.size()); }
  Index n_times(std::size_t trial) const override { return base_->n_times(trial); }
  bool is_float(std::size_t trial) const override { return base_->is_float(trial); }
  TrialValues values(std::size_t trial, TrialBuffer& buffer) const override {
    TrialBuffer whole;
    const TrialValues y = base_->values(trial, whole);
    if (y.floats()) return take_rows<float>(y, buffer.floats);
    return take_rows<double>(y, buffer.doubles);
  }
  void will_need(std::size_t trial) const override { base_->will_need(trial); }

 private:
  template <class Scalar>
  TrialValues take_rows(const TrialValues& y, Eigen::MatrixX<Scalar>& rows) const {
    const Eigen::Map<const Eigen::MatrixX<Scalar>> all(std::get<const Scalar*>(y.values), y.n_channels,
                                                       y.n_times);
    rows = all(which_, Eigen::all);
    return {.values = rows.data(), .n_channels = rows.rows(), .n_times = rows.cols()};
  }

  std::shared_ptr<const TrialStore> base_;
  std::vector<Index> which_;
};

template <class Position>
void check_positions(const std::vector<Position>& which, Position size, const char* things) {
  for (const Position position : which)
    if (position < 0 || position >= size)
      throw Error(ErrorKind::bad_input,
                  fmt::format("some {} of a recording: position {} is asked for, there are {}; count from 0",
                              things, position, size));
}

// Some of a list that has one entry per trial or channel, or none at all.
template <class Values, class Position>
Values some_of(const Values& values, const std::vector<Position>& which, Position size,
               const std::string& things) {
  if (values.empty()) return {};
  if (values.size() != static_cast<std::size_t>(size))
    throw Error(ErrorKind::bad_input, fmt::format("{}: {} values, expected {}", things, values.size(), size));
  Values out;
  out.reserve(which.size());
  for (const Position position : which) out.push_back(values[static_cast<std::size_t>(position)]);
  return out;
}

}  // namespace

Eigen::Map<const Matrix> TrialValues::in_double(TrialBuffer& buffer) const {
  if (floats())
    buffer.doubles = Eigen::Map<const Eigen::MatrixXf>(floats(), n_channels, n_times).cast<double>();
  return {floats() ? buffer.doubles.data() : doubles(), n_channels, n_times};
}

void TrialStore::will_need(std::size_t) const {}

TrialSource::TrialSource(std::shared_ptr<const TrialStore> store, std::shared_ptr<const TrialsInfo> info)
    : store_(std::move(store)), info_(std::move(info)) {}

TrialSource::TrialSource(std::shared_ptr<const TrialStore> store, TrialsInfo info)
    : TrialSource(std::move(store), std::make_shared<const TrialsInfo>(std::move(info))) {}

TrialSource::TrialSource(const Trials& trials)
    : TrialSource(std::make_shared<MemoryStore>(trials.n_channels(), views_of(trials.values), nullptr),
                  std::shared_ptr<const TrialsInfo>(std::shared_ptr<void>(), &trials)) {}

TrialSource::TrialSource(Trials&& trials)
    : TrialSource(keep(std::move(trials.values)), static_cast<TrialsInfo&&>(trials)) {}

TrialSource TrialSource::some_trials(const std::vector<std::size_t>& which) const {
  check_positions(which, n_trials(), "trials");
  TrialsInfo some{.channel_names = channel_names(),
                  .channel_groups = channel_groups(),
                  .times = some_of(times(), which, n_trials(), "time axes"),
                  .trial_names = some_of(trial_names(), which, n_trials(), "trial names"),
                  .labels = {},
                  .truth = {},
                  .history = history()};
  for (const LabelColumn& column : labels())
    std::visit(
        [&](const auto& values) {
          some.labels.push_back(
              {column.name, some_of(values, which, n_trials(), "label column '" + column.name + "'")});
        },
        column.values);
  return {std::make_shared<SubsetStore>(store_, which), std::move(some)};
}

TrialSource TrialSource::with_labels(std::vector<LabelColumn> labels) const {
  return {store_, TrialsInfo{.channel_names = channel_names(),
                             .channel_groups = channel_groups(),
                             .times = times(),
                             .trial_names = trial_names(),
                             .labels = std::move(labels),
                             .truth = {},
                             .history = history()}};
}

TrialSource TrialSource::some_channels(const std::vector<Index>& which) const {
  check_positions(which, n_channels(), "channels");
  return {std::make_shared<ChannelStore>(store_, which),
          TrialsInfo{.channel_names = some_of(channel_names(), which, n_channels(), "channel names"),
                     .channel_groups = some_of(channel_groups(), which, n_channels(), "channel groups"),
                     .times = times(),
                     .trial_names = trial_names(),
                     .labels = labels(),
                     .truth = {},
                     .history = history()}};
}

TrialSource borrow_trials(Index n_channels, std::vector<BorrowedTrial> trials, TrialsInfo info,
                          std::shared_ptr<const void> owner) {
  for (std::size_t m = 0; m < trials.size(); ++m) {
    const BorrowedTrial& trial = trials[m];
    const bool is_nowhere = std::visit([](const auto* values) { return values == nullptr; }, trial.values);
    if (trial.n_times < 0 || (is_nowhere && trial.n_times > 0))
      throw Error(ErrorKind::bad_input, fmt::format("trial {}: {} time points {}", m + 1, trial.n_times,
                                                    is_nowhere ? "at no address" : "are not a number"));
    if ((trial.time_stride == 0 && trial.n_times > 1) || (trial.channel_stride == 0 && n_channels > 1))
      throw Error(ErrorKind::bad_input,
                  fmt::format("trial {}: channels are {} and time points {} values apart; no two values may "
                              "lie in one place, give the strides of the array",
                              m + 1, trial.channel_stride, trial.time_stride));
  }
  return {std::make_shared<MemoryStore>(n_channels, std::move(trials), std::move(owner)), std::move(info)};
}

}  // namespace milcci
