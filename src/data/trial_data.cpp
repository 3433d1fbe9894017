#include "data/trial_data.hpp"

#include <algorithm>
#include <cmath>

#include "util/parallel.hpp"
#include "util/random.hpp"

namespace milcci {
namespace {

void mark_in_fours(Index n_channels, Index n_times, Gaps& gaps) {
  constexpr unsigned char kAll = 0xf;
  const Index n_fours = (n_channels + 3) / 4;
  gaps.observed.assign(static_cast<std::size_t>(n_fours * n_times), kAll);
  gaps.missing.assign(static_cast<std::size_t>((n_times + 3) / 4 * n_channels), 0);
  for (Index t = 0; t < n_times; ++t)
    for (int g = gaps.first[static_cast<std::size_t>(t)]; g < gaps.first[static_cast<std::size_t>(t) + 1];
         ++g) {
      const Index n = gaps.channel[static_cast<std::size_t>(g)];
      gaps.observed[static_cast<std::size_t>(t * n_fours + n / 4)] ^= static_cast<unsigned char>(1 << n % 4);
      gaps.missing[static_cast<std::size_t>(t / 4 * n_channels + n)] |=
          static_cast<unsigned char>(1 << t % 4);
    }
}

// nullptr if nothing is missing, which the sum tells first.
template <class Values>
std::shared_ptr<const Gaps> find_gaps(const Values& y) {
  if (std::isfinite(y.sum())) return nullptr;
  auto gaps = std::make_shared<Gaps>();
  gaps->first.reserve(static_cast<std::size_t>(y.cols()) + 1);
  gaps->first.push_back(0);
  for (Index t = 0; t < y.cols(); ++t) {
    for (Index n = 0; n < y.rows(); ++n)
      if (std::isnan(y(n, t))) gaps->channel.push_back(static_cast<int>(n));
    gaps->first.push_back(static_cast<int>(gaps->channel.size()));
  }
  if (gaps->channel.empty()) return nullptr;
  mark_in_fours(y.rows(), y.cols(), *gaps);
  return gaps;
}

// The median of all steps: the step at which a smoothness weight means what it says.
double typical_step(const std::vector<Vector>& times) {
  std::vector<double> steps;
  for (const Vector& time : times)
    for (Index t = 1; t < time.size(); ++t) steps.push_back(time(t) - time(t - 1));
  if (steps.empty()) return 1.0;
  const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
  std::nth_element(steps.begin(), middle, steps.end());
  return *middle;
}

Vector weigh_steps(const Vector& time, double typical) {
  if (time.size() < 2) return {};
  const Vector ratio = typical / (time.tail(time.size() - 1) - time.head(time.size() - 1)).array();
  constexpr double kSameStep = 1e-6;  // clocks written with a few digits are still regular
  if (((ratio.array() - 1.0).abs() < kSameStep).all()) return {};
  return ratio.array().square();
}

}  // namespace

TrialData::TrialData(const Trials& trials, bool apply_tanh, Precision precision, int threads)
    : n_channels_(trials.n_channels()) {
  if (apply_tanh)
    for (const Matrix& y : trials.values) owned_.push_back(y.array().tanh());
  refer_to(apply_tanh ? owned_ : trials.values);
  finish(trials.times, precision, threads);
}

TrialData::TrialData(Trials&& trials, bool apply_tanh, Precision precision, int threads)
    : n_channels_(trials.n_channels()), owned_(std::move(trials.values)) {
  if (apply_tanh)
    for (Matrix& y : owned_) y = y.array().tanh();
  refer_to(owned_);
  finish(trials.times, precision, threads);
}

void TrialData::finish(const std::vector<Vector>& times, Precision precision, int threads) {
  if (precision == Precision::float32) keep_floats();
  measure(threads);
  if (times.empty()) return;
  const double typical = typical_step(times);
  for (std::size_t m = 0; m < n_trials(); ++m) trials_[m].step_weights = weigh_steps(times[m], typical);
}

TrialData TrialData::pooled(const std::vector<int>& group_of_trial, Index n_columns,
                            std::uint64_t seed) const {
  const auto n_groups =
      static_cast<std::size_t>(*std::max_element(group_of_trial.begin(), group_of_trial.end())) + 1;
  std::vector<Index> n_times_of_group(n_groups, 0);
  for (std::size_t m = 0; m < n_trials(); ++m)
    n_times_of_group[static_cast<std::size_t>(group_of_trial[m])] += n_times(m);

  // Stretches of equal length, one time point at random from each; trials lie one after the other.
  const double per_group = static_cast<double>(n_columns) / static_cast<double>(n_groups);
  TrialData smaller;
  smaller.n_channels_ = n_channels_;
  for (std::size_t g = 0; g < n_groups; ++g) {
    const auto total = static_cast<double>(n_times_of_group[g]);
    const auto count =
        std::min(n_times_of_group[g], std::max(Index{1}, static_cast<Index>(std::ceil(per_group))));
    const double stretch = total / static_cast<double>(count);
    Random random(seed, g);
    Matrix chosen(n_channels_, count);
    std::size_t trial = 0;
    Index before = 0;  // time points of this group in trials that are passed
    for (Index c = 0; c < count; ++c) {
      const auto position = std::min(
          n_times_of_group[g] - 1, static_cast<Index>((static_cast<double>(c) + random.uniform()) * stretch));
      while (group_of_trial[trial] != static_cast<int>(g) || position >= before + n_times(trial)) {
        if (group_of_trial[trial] == static_cast<int>(g)) before += n_times(trial);
        ++trial;
      }
      chosen.col(c) = column(trial, position - before);
    }
    smaller.owned_.push_back(std::move(chosen));
  }
  smaller.refer_to(smaller.owned_);
  smaller.measure(1);
  return smaller;
}

bool TrialData::has_gaps() const {
  return std::any_of(trials_.begin(), trials_.end(), [](const Source& s) { return s.gaps != nullptr; });
}

TrialData::View TrialData::values(std::size_t m, Matrix& scratch) const {
  const Source& source = trials_[m];
  if (source.floats == nullptr) {
    const View y(source.values, n_channels_, source.n_times);
    if (!source.gaps) return y;
    scratch = y.array().isNaN().select(0.0, y);
  } else {
    scratch = Eigen::Map<const Eigen::MatrixXf>(source.floats, n_channels_, source.n_times).cast<double>();
    if (source.gaps) scratch = scratch.array().isNaN().select(0.0, scratch);
  }
  return View(scratch.data(), scratch.rows(), scratch.cols());
}

const float* TrialData::floats(std::size_t m) const {
  return trials_[m].gaps ? nullptr : trials_[m].floats;
}

Vector TrialData::column(std::size_t m, Index t) const {
  const Index first = t * n_channels_;
  if (trials_[m].floats == nullptr) return Eigen::Map<const Vector>(trials_[m].values + first, n_channels_);
  return Eigen::Map<const Eigen::VectorXf>(trials_[m].floats + first, n_channels_).cast<double>();
}

void TrialData::keep_floats() {
  for (std::size_t m = 0; m < n_trials(); ++m) {
    Source& source = trials_[m];
    owned_floats_.push_back(View(source.values, n_channels_, source.n_times).cast<float>());
    source.floats = owned_floats_.back().data();
    source.values = nullptr;
    if (!owned_.empty()) owned_[m].resize(0, 0);  // as soon as it is not needed
  }
  owned_.clear();
}

void TrialData::refer_to(const std::vector<Matrix>& values) {
  for (const Matrix& y : values)
    trials_.push_back({.values = y.data(),
                       .floats = nullptr,
                       .n_times = y.cols(),
                       .energy = 0,
                       .gaps = nullptr,
                       .step_weights = {}});
}

std::shared_ptr<const Gaps> TrialData::missing_in(const Source& source) const {
  if (source.floats == nullptr) return find_gaps(View(source.values, n_channels_, source.n_times));
  return find_gaps(Eigen::Map<const Eigen::MatrixXf>(source.floats, n_channels_, source.n_times));
}

// Sums are made within blocks of trials and then over blocks: the same bits for any number of threads.
void TrialData::measure(int threads) {
  constexpr std::size_t kTrialsPerBlock = 16;
  struct Moments {
    Vector sum, squares, count;
    bool has_negative = false;
  };
  const Vector zero = Vector::Zero(n_channels_);
  std::vector<Moments> of_block((n_trials() + kTrialsPerBlock - 1) / kTrialsPerBlock, {zero, zero, zero});
  parallel_for(of_block.size(), threads, [&](std::size_t b, int) {
    auto& [sum, squares, count, has_negative] = of_block[b];
    Matrix scratch;
    const std::size_t end = std::min(n_trials(), (b + 1) * kTrialsPerBlock);
    for (std::size_t m = b * kTrialsPerBlock; m < end; ++m) {
      trials_[m].gaps = missing_in(trials_[m]);
      const View y = values(m, scratch);
      trials_[m].energy = y.squaredNorm();
      for (Index t = 0; t < y.cols(); ++t) {
        sum += y.col(t);
        squares += y.col(t).cwiseAbs2();
      }
      has_negative = has_negative || y.minCoeff() < 0;
      count.array() += static_cast<double>(y.cols());
      if (const Gaps* g = gaps(m))
        for (const int n : g->channel) count(n) -= 1.0;
    }
  });
  Vector sum = zero, squares = zero, count = zero;
  for (const Moments& block : of_block) {
    sum += block.sum;
    squares += block.squares;
    count += block.count;
    has_negative_ = has_negative_ || block.has_negative;
  }
  for (const Source& source : trials_) energy_ += source.energy;
  for (Index n = 0; n < n_channels_; ++n)
    if (count(n) > 0) variation_ += std::max(0.0, squares(n) - sum(n) * sum(n) / count(n));
}

}  // namespace milcci
