#include "fit/search_size.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "start/binned_design.hpp"
#include "start/channel_subset.hpp"
#include "start/whole_problem.hpp"

namespace milcci {

SearchSize search_size(const TrialSource& trials, const Design& design) {
  const Index n_channels = n_chosen_channels(trials.n_channels());
  SearchSize size{.design = bin_design(design, trials.n_trials()).design,
                  .n_channels = static_cast<double>(n_channels)};
  std::vector<Index> times(size.design.labels.size(), 0);
  for (std::size_t m = 0; m < trials.n_trials(); ++m)
    times[static_cast<std::size_t>(size.design.label_of_trial[m])] += trials.n_times(m);
  const auto pooled = static_cast<double>(
      n_pooled_times(size.design, n_channels, std::accumulate(times.begin(), times.end(), Index{0})));
  const auto per_label = static_cast<Index>(std::ceil(pooled / static_cast<double>(times.size())));
  for (const Index all : times) size.n_times += static_cast<double>(std::min(all, per_label));
  return size;
}

}  // namespace milcci
