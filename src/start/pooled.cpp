#include "start/pooled.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "start/stretches.hpp"
#include "util/random.hpp"

namespace milcci {
namespace {

template <class Values>
void average(const Values& y, const Stretch& stretch, const std::vector<Index>& channels,
             Eigen::Ref<Vector> mean) {
  constexpr Index kFewest = 4;  // one of so many must be observed
  for (Index i = 0; i < mean.size(); ++i) {
    const Index n = channels[static_cast<std::size_t>(i)];
    double sum = 0.0;
    Index n_observed = 0;
    for (Index t = stretch.begin; t < stretch.begin + stretch.length; ++t) {
      const auto value = static_cast<double>(y(n, t));
      if (std::isnan(value)) continue;
      sum += value;
      ++n_observed;
    }
    mean(i) = kFewest * n_observed < stretch.length ? std::numeric_limits<double>::quiet_NaN()
                                                    : sum / static_cast<double>(n_observed);
  }
}

}  // namespace

TrialData pool(const TrialData& data, const std::vector<int>& group_of_trial, const PoolOptions& options) {
  const auto n_groups =
      static_cast<std::size_t>(*std::max_element(group_of_trial.begin(), group_of_trial.end())) + 1;
  std::vector<std::vector<std::size_t>> trials_of_group(n_groups);
  std::vector<Index> n_stretches(data.n_trials()), n_of_group(n_groups, 0);
  for (std::size_t m = 0; m < data.n_trials(); ++m) {
    const auto g = static_cast<std::size_t>(group_of_trial[m]);
    n_stretches[m] = static_cast<Index>(stretches(data, m, options.width).size());
    trials_of_group[g].push_back(m);
    n_of_group[g] += n_stretches[m];
  }

  std::vector<Index> channels = options.channels;
  if (channels.empty()) {
    channels.resize(static_cast<std::size_t>(data.n_channels()));
    std::iota(channels.begin(), channels.end(), Index{0});
  }

  // The stretches of a group, trial after trial, in `count` equal parts, one at random from each.
  const double per_group = static_cast<double>(options.n_columns) / static_cast<double>(n_groups);
  Trials pooled;
  TrialBuffer buffer;
  for (std::size_t g = 0; g < n_groups; ++g) {
    const Index total = n_of_group[g];
    const Index count = std::min(total, std::max(Index{1}, static_cast<Index>(std::ceil(per_group))));
    const double part = static_cast<double>(total) / static_cast<double>(count);
    Random random(options.seed, g);
    Matrix columns(std::ssize(channels), count);
    auto trial = trials_of_group[g].begin(), read = trials_of_group[g].end();
    std::vector<Stretch> cut;
    TrialValues values;
    Index before = 0;  // stretches of this group in the trials before
    for (Index c = 0; c < count; ++c) {
      const auto position =
          std::min(total - 1, static_cast<Index>((static_cast<double>(c) + random.uniform()) * part));
      while (position >= before + n_stretches[*trial]) before += n_stretches[*trial++];
      if (read != trial) {
        cut = stretches(data, *trial, options.width);
        values = data.stored(*trial, buffer);
        read = trial;
      }
      const Stretch& stretch = cut[static_cast<std::size_t>(position - before)];
      values.visit([&](const auto& y) { average(y, stretch, channels, columns.col(c)); });
    }
    const Frame frame = data.frame().of(channels);
    if (frame.offset.size() > 0) columns.colwise() -= frame.offset;
    if (frame.weight.size() > 0) columns.array().colwise() *= frame.weight.array();
    pooled.values.push_back(std::move(columns));
  }
  return TrialData(std::move(pooled));
}

}  // namespace milcci
