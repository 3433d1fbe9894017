#include "data/trial_data.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "data/negative_signal.hpp"
#include "kernels/kernels.hpp"
#include "util/ordered_sum.hpp"

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

// nullptr if nothing is missing, which the sum shows first.
template <class Values>
std::shared_ptr<const Gaps> find_gaps(const Values& y) {
  if (std::isfinite(y.sum())) return nullptr;
  auto gaps = std::make_shared<Gaps>();
  gaps->first.reserve(static_cast<std::size_t>(y.cols()) + 1);
  gaps->first.push_back(0);
  std::vector<int> missing(static_cast<std::size_t>(y.rows()));
  for (Index t = 0; t < y.cols(); ++t) {
    std::ptrdiff_t n_missing = 0;
    for (Index n = 0; n < y.rows(); ++n) {  // without a branch, which no processor could predict
      missing[static_cast<std::size_t>(n_missing)] = static_cast<int>(n);
      n_missing += std::isnan(y(n, t));
    }
    gaps->channel.insert(gaps->channel.end(), missing.begin(), missing.begin() + n_missing);
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

// Numbered as they appear.
std::vector<int> number_groups(const std::vector<std::string>& groups) {
  std::map<std::string, int> number;
  std::vector<int> numbers;
  for (const std::string& group : groups)
    numbers.push_back(number.emplace(group, static_cast<int>(number.size())).first->second);
  return numbers;
}

// Trials of our own. Moving one does not move its values.
struct OwnTrials {
  std::vector<Matrix> doubles;
  std::vector<Eigen::MatrixXf> floats;
  std::vector<BorrowedTrial> views;

  void add(Matrix y) {
    doubles.push_back(std::move(y));
    views.push_back({.values = doubles.back().data(),
                     .n_times = doubles.back().cols(),
                     .time_stride = doubles.back().rows()});
  }
  void add(Eigen::MatrixXf y) {
    floats.push_back(std::move(y));
    views.push_back({.values = floats.back().data(),
                     .n_times = floats.back().cols(),
                     .time_stride = floats.back().rows()});
  }
};

TrialSource source_of(OwnTrials trials, Index n_channels) {
  std::vector<BorrowedTrial> views = std::move(trials.views);
  return borrow_trials(n_channels, std::move(views), {},
                       std::make_shared<const OwnTrials>(std::move(trials)));
}

TrialSource as_fitted(const TrialSource& source, Transform transform, Precision precision) {
  std::size_t n_floats = 0;
  for (std::size_t m = 0; m < source.n_trials(); ++m) n_floats += source.is_float(m);
  const bool is_precise = precision == Precision::float64;
  if (transform == Transform::none && (is_precise || n_floats == source.n_trials())) return source;
  OwnTrials own;
  TrialBuffer buffer;
  for (std::size_t m = 0; m < source.n_trials(); ++m) {
    Matrix y = source.doubles(m, buffer);
    if (transform == Transform::tanh) y = y.array().tanh();
    if (is_precise && !source.is_float(m))
      own.add(std::move(y));
    else
      own.add(Eigen::MatrixXf(y.cast<float>()));
  }
  return source_of(std::move(own), source.n_channels());
}

TrialSource as_fitted(std::vector<Matrix> values, Transform transform, Precision precision) {
  const Index n_channels = values.empty() ? 0 : values.front().rows();
  OwnTrials own;
  for (Matrix& y : values) {
    if (transform == Transform::tanh) y = y.array().tanh();
    if (precision == Precision::float64) {
      own.add(std::move(y));
    } else {
      own.add(Eigen::MatrixXf(y.cast<float>()));
      y.resize(0, 0);  // freed as soon as it is no longer needed
    }
  }
  return source_of(std::move(own), n_channels);
}

TrialData::View with_zeros_in_gaps(const TrialValues& values, const Gaps* gaps, TrialBuffer& buffer) {
  if (gaps == nullptr) return values.in_double(buffer);
  Matrix& cleared = buffer.doubles;
  cleared.resize(values.n_channels, values.n_times);  // values that are already here stay
  if (const float* y = values.floats())
    kernels().clear_missing_float(cleared.size(), y, cleared.data());
  else
    kernels().clear_missing(cleared.size(), values.doubles(), cleared.data());
  return {cleared.data(), cleared.rows(), cleared.cols()};
}

}  // namespace

TrialData::TrialData(TrialSource source, const std::vector<Vector>& times,
                     const std::vector<std::string>& channel_groups, int threads)
    : source_(std::move(source)), trials_(source_.n_trials()), channel_group_(number_groups(channel_groups)) {
  measure(threads);
  if (times.empty()) return;
  const double typical = typical_step(times);
  for (std::size_t m = 0; m < n_trials(); ++m) trials_[m].step_weights = weigh_steps(times[m], typical);
}

TrialData::TrialData(TrialSource source, Transform transform, Precision precision, int threads)
    : TrialData(as_fitted(source, transform, precision), source.times(), source.channel_groups(), threads) {}

TrialData::TrialData(Trials&& trials, Transform transform, Precision precision, int threads)
    : TrialData(as_fitted(std::move(trials.values), transform, precision), trials.times,
                trials.channel_groups, threads) {}

TrialData TrialData::with_values(std::vector<Matrix> values, int threads) const {
  TrialData other = *this;
  OwnTrials own;
  for (std::size_t m = 0; m < values.size(); ++m) {
    if (source_.is_float(m))
      own.add(Eigen::MatrixXf(values[m].cast<float>()));
    else
      own.add(std::move(values[m]));
    values[m].resize(0, 0);  // freed as soon as it is no longer needed
  }
  other.source_ = source_of(std::move(own), n_channels());
  other.measure(threads);
  other.set_frame(frame_);
  return other;
}

bool TrialData::has_negative() const {
  return has_negative_ && !find_negative_channels(source_).empty();
}

bool TrialData::has_gaps() const {
  return std::any_of(trials_.begin(), trials_.end(),
                     [](const Measured& trial) { return trial.gaps != nullptr; });
}

TrialData::View TrialData::values(std::size_t m, TrialBuffer& buffer) const {
  const View y = with_zeros_in_gaps(source_.values(m, buffer), gaps(m), buffer);
  if (frame_.is_plain()) return y;
  Matrix& framed = buffer.doubles;
  if (y.data() != framed.data()) framed = y;
  if (frame_.offset.size() > 0) {
    framed.colwise() -= frame_.offset;
    if (const Gaps* gaps = this->gaps(m))
      for (Index t = 0; t < framed.cols(); ++t)
        for (int g = gaps->first[static_cast<std::size_t>(t)];
             g < gaps->first[static_cast<std::size_t>(t) + 1]; ++g)
          framed(gaps->channel[static_cast<std::size_t>(g)], t) = 0.0;
  }
  if (frame_.weight.size() > 0) framed.array().colwise() *= frame_.weight.array();
  return {framed.data(), framed.rows(), framed.cols()};
}

double TrialData::energy_of_channel(Index n) const {
  const double b = frame_.offset_of(n), w = frame_.weight_of(n);
  return w * w * std::max(0.0, sums_.squares(n) - 2.0 * b * sums_.sum(n) + b * b * sums_.count(n));
}

void TrialData::set_frame(Frame frame) {
  frame_ = std::move(frame);
  double stored = 0;
  energy_ = variation_ = 0;
  for (Index n = 0; n < n_channels(); ++n) {
    if (!(sums_.count(n) > 0)) continue;
    const double w = frame_.weight_of(n);
    stored += sums_.squares(n);
    energy_ += energy_of_channel(n);
    variation_ += w * w * std::max(0.0, sums_.squares(n) - sums_.sum(n) * sums_.sum(n) / sums_.count(n));
  }
  energy_scale_ = stored > 0 ? energy_ / stored : 1.0;
}

void TrialData::measure(int threads) {
  constexpr std::size_t kTrialsPerBlock = 16;
  struct Moments {
    Vector sum, squares, count;
    bool has_negative = false;
  };
  const Vector zero = Vector::Zero(n_channels());
  const Moments nothing{zero, zero, zero};
  Moments all = nothing;
  const auto measure_block = [&](std::size_t b, int, Moments& part) {
    part = nothing;
    TrialBuffer buffer;
    const std::size_t end = std::min(n_trials(), (b + 1) * kTrialsPerBlock);
    for (std::size_t m = b * kTrialsPerBlock; m < end; ++m) {
      const TrialValues stored = source_.values(m, buffer);
      trials_[m].gaps = stored.visit([](const auto& values) { return find_gaps(values); });
      const View y = with_zeros_in_gaps(stored, gaps(m), buffer);
      trials_[m].energy = y.squaredNorm();
      for (Index t = 0; t < y.cols(); ++t) {
        part.sum += y.col(t);
        part.squares += y.col(t).cwiseAbs2();
      }
      part.has_negative = part.has_negative || y.minCoeff() < 0;
      part.count.array() += static_cast<double>(y.cols());
      if (const Gaps* g = gaps(m))
        for (const int n : g->channel) part.count(n) -= 1.0;
    }
  };
  const auto add = [&](std::size_t, const Moments& part) {
    all.sum += part.sum;
    all.squares += part.squares;
    all.count += part.count;
    all.has_negative = all.has_negative || part.has_negative;
  };
  sum_over_blocks((n_trials() + kTrialsPerBlock - 1) / kTrialsPerBlock, threads, nothing, measure_block, add);
  has_negative_ = all.has_negative;
  energy_ = variation_ = 0;
  for (const Measured& trial : trials_) energy_ += trial.energy;
  for (Index n = 0; n < n_channels(); ++n)
    if (all.count(n) > 0)
      variation_ += std::max(0.0, all.squares(n) - all.sum(n) * all.sum(n) / all.count(n));
  sums_ = {.count = std::move(all.count), .sum = std::move(all.sum), .squares = std::move(all.squares)};
}

}  // namespace milcci
