#include "read/nwb/nwb_series_labels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "milcci/error.hpp"
#include "read/nwb/nwb_series.hpp"

namespace milcci::read {

namespace {

[[noreturn]] void refuse(const std::string& option, const std::string& why) {
  throw Error(ErrorKind::bad_option, fmt::format("{}: {}", option, why));
}

// NaN if there is nothing to take the mean of.
double mean_observed(const Matrix& values) {
  double sum = 0;
  Index n = 0;
  for (const double value : values.reshaped())
    if (!std::isnan(value)) sum += value, ++n;
  return n > 0 ? sum / static_cast<double>(n) : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

void add_series_labels(const std::string& path, const hdf5::Group& root, const ReadOptions& options,
                       const std::vector<TrialWindow>& windows, ReadResult& result) {
  for (const std::string& text : options.series_labels) {
    const std::string option = "`series_labels` = " + text;
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == text.size())
      refuse(option,
             "must be the name of the label and the path of a series, such as "
             "pupil=/processing/behavior/pupil_size");
    const std::string name = text.substr(0, equals);
    if (result.trials.find_label(name))
      refuse(option, fmt::format("there is a label column {} already; give it another name", name));
    const SeriesTrials series = read_series(path, root, {option, text.substr(equals + 1)}, windows);
    if (series.names.size() != 1)
      refuse(option, fmt::format("the series has {} channels, must have one", series.names.size()));
    LabelColumn::Reals means;
    for (const Matrix& values : series.values) means.push_back(mean_observed(values));
    const auto n_missing = std::count_if(means.begin(), means.end(), [](double x) { return std::isnan(x); });
    result.notes.push_back(fmt::format("label {} = mean of {} within each trial{}", name, series.description,
                                       n_missing > 0 ? fmt::format(", missing in {}", n_missing) : ""));
    result.trials.labels.push_back({name, std::move(means)});
  }
}

}  // namespace milcci::read
