#include "read/nwb/spike_rates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "milcci/error.hpp"

namespace milcci {

namespace {

// Half of the kernel: its middle first. It sums to one over both halves.
std::vector<double> half_kernel(const RateOptions& options) {
  if (options.sigma == 0) return {1.0};
  const auto reach = static_cast<std::size_t>(options.window / 2 / options.bin_width + 1e-6);
  std::vector<double> kernel;
  double sum = 0;
  for (std::size_t s = 0; s <= reach; ++s) {
    const double z = static_cast<double>(s) * options.bin_width / options.sigma;
    kernel.push_back(std::exp(-z * z / 2));
    sum += (s == 0 ? 1 : 2) * kernel.back();
  }
  for (double& value : kernel) value /= sum;
  return kernel;
}

// out(t) = sum_s k(s) in(t + reach + s).
void smooth(const std::vector<double>& kernel, const Vector& in, Vector& out) {
  const auto reach = static_cast<Index>(kernel.size()) - 1;
  out = kernel[0] * in.segment(reach, out.size());
  for (Index s = 1; s <= reach; ++s)
    out += kernel[static_cast<std::size_t>(s)] *
           (in.segment(reach - s, out.size()) + in.segment(reach + s, out.size()));
}

// Spikes per bin, from `begin` on.
void count(std::span<const double> spikes, double begin, double bin_width, Vector& counts) {
  counts.setZero();
  for (auto spike = std::lower_bound(spikes.begin(), spikes.end(), begin); spike != spikes.end(); ++spike) {
    const double bin = (*spike - begin) / bin_width;
    if (bin >= static_cast<double>(counts.size())) break;
    counts(static_cast<Index>(bin)) += 1;
  }
}

// The first interval that ends after this time.
Intervals::const_iterator first_after(const Intervals& intervals, double time) {
  return std::partition_point(intervals.begin(), intervals.end(),
                              [time](const Interval& i) { return i.end <= time; });
}

// 1 for every bin that lies within an interval, else 0.
void mark(const Intervals& intervals, double begin, double bin_width, Vector& observed) {
  const double slack = 1e-6 * bin_width;
  auto interval = first_after(intervals, begin);
  for (Index t = 0; t < observed.size(); ++t) {
    const double low = begin + static_cast<double>(t) * bin_width, high = low + bin_width;
    while (interval != intervals.end() && interval->end < high - slack) ++interval;
    observed(t) = interval != intervals.end() && interval->begin <= low + slack ? 1 : 0;
  }
}

bool covers(const Intervals& intervals, double begin, double end) {
  const auto interval = first_after(intervals, begin);
  return interval != intervals.end() && interval->begin <= begin && interval->end >= end;
}

// Also says no to NaN.
void check(const RateOptions& options) {
  constexpr double kMostBins = 10000;
  const bool is_usable = options.bin_width > 0 && std::isfinite(options.bin_width) && options.sigma >= 0 &&
                         std::isfinite(options.sigma) && options.window >= 0 &&
                         options.window / options.bin_width <= kMostBins;
  if (!is_usable)
    throw Error(
        ErrorKind::bad_option,
        fmt::format(
            "spike_rates: bin_width {}, sigma {}, window {}: must be above 0, 0 or more, and 0 to {} bins",
            options.bin_width, options.sigma, options.window, kMostBins));
}

}  // namespace

Matrix spike_rates(const std::vector<SpikeTrain>& units, double begin, Index n_bins,
                   const RateOptions& options) {
  check(options);
  const std::vector<double> kernel = half_kernel(options);
  const auto reach = static_cast<Index>(kernel.size()) - 1;
  const double width = options.bin_width, padded_begin = begin - static_cast<double>(reach) * width;
  Matrix rates(static_cast<Index>(units.size()), n_bins);
  Vector counts(n_bins + 2 * reach), observed(counts.size()), smoothed(n_bins), share(n_bins);
  for (std::size_t n = 0; n < units.size(); ++n) {
    count(units[n].spikes, padded_begin, width, counts);
    const double padded_end = padded_begin + static_cast<double>(counts.size()) * width;
    const bool is_complete = covers(units[n].observed, padded_begin, padded_end);
    if (!is_complete) {
      mark(units[n].observed, padded_begin, width, observed);
      counts.array() *= observed.array();
      smooth(kernel, observed, share);
    }
    smooth(kernel, counts, smoothed);
    smoothed /= width;
    if (!is_complete)
      for (Index t = 0; t < n_bins; ++t)
        smoothed(t) =
            observed(t + reach) > 0 ? smoothed(t) / share(t) : std::numeric_limits<double>::quiet_NaN();
    rates.row(static_cast<Index>(n)) = smoothed.transpose();
  }
  return rates;
}

namespace read {

Intervals merged(Intervals intervals) {
  std::sort(intervals.begin(), intervals.end(),
            [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
  Intervals out;
  for (const Interval& interval : intervals) {
    if (interval.end <= interval.begin) continue;
    if (out.empty() || out.back().end < interval.begin)
      out.push_back(interval);
    else
      out.back().end = std::max(out.back().end, interval.end);
  }
  return out;
}

Intervals without(const Intervals& intervals, const Intervals& holes) {
  Intervals out;
  for (Interval rest : intervals) {
    for (auto hole = first_after(holes, rest.begin); hole != holes.end() && hole->begin < rest.end; ++hole) {
      if (hole->begin > rest.begin) out.push_back({rest.begin, hole->begin});
      rest.begin = std::min(hole->end, rest.end);
    }
    if (rest.begin < rest.end) out.push_back(rest);
  }
  return out;
}

double n_bins(double begin, double end, double bin_width) {
  return std::floor((end - begin) / bin_width + 1e-6);
}

Activity activity(const SpikeTrain& unit, double begin, double end) {
  Activity out;
  for (auto interval = first_after(unit.observed, begin);
       interval != unit.observed.end() && interval->begin < end; ++interval) {
    const double low = std::max(begin, interval->begin), high = std::min(end, interval->end);
    out.seconds += high - low;
    out.n_spikes += static_cast<double>(std::lower_bound(unit.spikes.begin(), unit.spikes.end(), high) -
                                        std::lower_bound(unit.spikes.begin(), unit.spikes.end(), low));
  }
  return out;
}

}  // namespace read
}  // namespace milcci
