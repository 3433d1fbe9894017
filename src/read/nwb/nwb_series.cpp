#include "read/nwb/nwb_series.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/nearest_name.hpp"
#include "milcci/error.hpp"
#include "read/nwb/nwb_units.hpp"

namespace milcci::read {

namespace {

// Groups may contain themselves: each is entered once, and not below this.
constexpr int kDeepest = 64;
constexpr std::size_t kMostListed = 20;

bool is_series(const hdf5::Group& group) {
  return group.is_dataset("data") && (group.is_dataset("timestamps") || group.is_dataset("starting_time"));
}

void find_series(const hdf5::Group& group, const std::string& prefix, int depth,
                 std::set<std::uint64_t>& entered, std::vector<std::string>& found) {
  for (const hdf5::Child& child : group.children()) {
    if (found.size() == kMostListed) return;
    if (!child.is_group || depth == kDeepest || !entered.insert(child.address).second) continue;
    const hdf5::Group inner = group.open_group(child.name);
    const std::string path = prefix + "/" + child.name;
    if (is_series(inner)) found.push_back(fmt::format("{} ({})", path, hdf5::to_text(inner.shape("data"))));
    find_series(inner, path, depth + 1, entered, found);
  }
}

hdf5::Group open_series(const std::string& path, const hdf5::Group& root, const SeriesName& asked) {
  std::string name = asked.path;
  if (name.ends_with("/data")) name.resize(name.size() - 5);
  auto group = find_group(root, name);
  if (group && is_series(*group)) return std::move(*group);
  const std::vector<std::string> known = list_series(root);
  throw Error(ErrorKind::bad_option,
              fmt::format("{}: file \"{}\" has no such time series (a group with data, and with "
                          "timestamps or starting_time); there {}",
                          asked.option, path,
                          known.empty() ? "is none" : fmt::format("are: {}", fmt::join(known, ", "))));
}

// When samples were taken: at listed times, or at a steady rate.
class Clock {
 public:
  Clock(const hdf5::Group& series, std::size_t n_samples) : n_samples_(n_samples) {
    if (series.is_dataset("timestamps")) {
      times_ = series.read_reals("timestamps", {n_samples});
      for (std::size_t i = 0; i < n_samples; ++i)
        if (!std::isfinite(times_[i]) || (i > 0 && times_[i] <= times_[i - 1]))
          series.fail("timestamps", fmt::format("sample {} is at {} s, must be a time after the one before",
                                                i + 1, times_[i]));
      return;
    }
    start_ = series.read_reals("starting_time", {}).front();
    rate_ = series.read_real_attribute("starting_time", "rate");
    if (!std::isfinite(start_)) series.fail("starting_time", fmt::format("is {}, must be a time", start_));
    if (!(rate_ > 0) || std::isinf(rate_))
      series.fail("starting_time",
                  fmt::format("its attribute `rate` is {}, must be a number above 0", rate_));
  }

  double time(std::size_t sample) const {
    return times_.empty() ? start_ + static_cast<double>(sample) / rate_ : times_[sample];
  }
  /// The first sample at this time or later.
  std::size_t first_from(double time) const {
    if (!times_.empty())
      return static_cast<std::size_t>(std::lower_bound(times_.begin(), times_.end(), time) - times_.begin());
    const double sample = std::ceil((time - start_) * rate_ - kSlack);
    return static_cast<std::size_t>(std::clamp(sample, 0.0, static_cast<double>(n_samples_)));
  }

 private:
  static constexpr double kSlack = 1e-6;  // of a sample, for rounding
  std::size_t n_samples_;
  std::vector<double> times_;
  double start_ = 0, rate_ = 0;
};

void name_channels(const hdf5::Group& root, const hdf5::Group& series, std::size_t n_channels,
                   SeriesTrials& out) {
  const char* noun = series.is_dataset("rois")         ? "roi"
                     : series.is_dataset("electrodes") ? "electrode"
                                                       : "channel";
  for (std::size_t n = 1; n <= n_channels; ++n) out.names.push_back(fmt::format("{}{}", noun, n));
  if (series.is_dataset("electrodes"))
    out.groups = electrode_locations(root, series, series.read_integers("electrodes", {n_channels}));
}

// One factor per channel where the series has them.
Vector channel_factors(const hdf5::Group& series, std::size_t n_channels) {
  if (!series.is_dataset("channel_conversion")) return Vector::Ones(static_cast<Index>(n_channels));
  const std::vector<double> factors = series.read_reals("channel_conversion", {n_channels});
  return Eigen::Map<const Vector>(factors.data(), static_cast<Index>(n_channels));
}

// The samples within each window.
struct Range {
  std::size_t first = 0, count = 0;
};

std::vector<Range> sample_ranges(const hdf5::Group& series, const Clock& clock, std::size_t n_channels,
                                 const std::vector<TrialWindow>& windows) {
  std::vector<Range> ranges;
  double n_values = 0;
  for (const TrialWindow& window : windows) {
    const std::size_t first = clock.first_from(window.begin);
    ranges.push_back({first, std::max(clock.first_from(window.end), first) - first});
    n_values += static_cast<double>(ranges.back().count) * static_cast<double>(n_channels);
  }
  if (n_values > kMostValues)
    series.fail("data", fmt::format("the trials would have {:.3g} values, at most {:.3g} are possible; cut "
                                    "shorter trials around an event (`align`)",
                                    n_values, kMostValues));
  return ranges;
}

double attribute_or(const hdf5::Group& series, const char* name, double otherwise) {
  return series.has_attribute("data", name) ? series.read_real_attribute("data", name) : otherwise;
}

}  // namespace

std::vector<std::string> list_series(const hdf5::Group& root) {
  std::set<std::uint64_t> entered = {root.address()};
  std::vector<std::string> found;
  find_series(root, "", 0, entered, found);
  return found;
}

SeriesTrials read_series(const std::string& path, const hdf5::Group& root, const SeriesName& name,
                         const std::vector<TrialWindow>& windows) {
  const hdf5::Group series = open_series(path, root, name);
  const hdf5::Shape shape = series.shape("data");
  if (shape.empty() || shape.size() > 2 || shape.back() == 0)
    series.fail("data",
                fmt::format("its shape is {}, must be time x channel, or time", hdf5::to_text(shape)));
  // First of all: the size that a file declares is checked here.
  std::optional<hdf5::RealRows> rows;
  std::vector<double> column;
  if (shape.size() == 2)
    rows.emplace(series.open_rows("data", {hdf5::kAny, hdf5::kAny}));
  else
    column = series.read_reals("data", {hdf5::kAny});
  const std::size_t n_channels = shape.size() == 2 ? shape[1] : 1;
  const Clock clock(series, shape[0]);
  const double conversion = attribute_or(series, "conversion", 1), offset = attribute_or(series, "offset", 0);
  const Vector factors = conversion * channel_factors(series, n_channels);

  SeriesTrials out;
  out.description = fmt::format("{} ({})", series.path_of("data"), hdf5::to_text(shape));
  if (conversion != 1) out.description += fmt::format(" times {}", conversion);
  if (offset != 0) out.description += fmt::format(" plus {}", offset);
  const std::vector<Range> ranges = sample_ranges(series, clock, n_channels, windows);
  for (std::size_t m = 0; m < windows.size(); ++m) {
    const auto [first, count] = ranges[m];
    Matrix& values = out.values.emplace_back(static_cast<Index>(n_channels), static_cast<Index>(count));
    if (rows)
      rows->read(first, count, values.data());
    else
      std::copy_n(column.begin() + static_cast<std::ptrdiff_t>(first), count, values.data());
    values.array().colwise() *= factors.array();
    values.array() += offset;
    Vector& times = out.times.emplace_back(static_cast<Index>(count));
    for (std::size_t t = 0; t < count; ++t)
      times(static_cast<Index>(t)) = clock.time(first + t) - windows[m].zero;
  }
  name_channels(root, series, n_channels, out);
  return out;
}

}  // namespace milcci::read
