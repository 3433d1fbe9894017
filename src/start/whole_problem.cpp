#include "start/whole_problem.hpp"

#include <algorithm>

#include "start/channel_subset.hpp"
#include "start/pooled.hpp"
#include "start/stretch_width.hpp"
#include "util/parallel.hpp"

namespace milcci {
namespace {

// Enough time points to tell the components apart, few enough that a candidate costs a small share of a full
// fit.
constexpr Index kTimesPerComponent = 128, kMinTimes = 1024, kMaxTimes = 4096;
// With thousands of channels a time point says more and costs more: fewer are enough, down to
// these.
constexpr Index kMaxValues = 1024 * kMaxTimes, kFewestPerComponent = 16;
// Small data cost next to nothing. All of them tell more than some: the best answer for a subset is not
// always the best one for all.
constexpr Index kCheap = 1 << 21;
constexpr std::uint64_t kSubsetStream =
    0x5b5e7;  // keeps the subset's random numbers apart from the candidates'

Index total_times(const TrialData& data) {
  Index total = 0;
  for (std::size_t m = 0; m < data.n_trials(); ++m) total += data.n_times(m);
  return total;
}

}  // namespace

Index n_pooled_times(const Design& design, Index n_channels, Index n_times) {
  const Index P = design.n_components();
  if (n_times * n_channels * P <= kCheap) return n_times * static_cast<Index>(design.labels.size());
  const Index wanted = std::clamp(kTimesPerComponent * P, kMinTimes, kMaxTimes);
  return std::min(wanted, std::max(kFewestPerComponent * P, kMaxValues / n_channels));
}

WholeProblem::WholeProblem(const TrialData& of_data, const Design& of_design, const FitOptions& of_options)
    : data(of_data),
      design(of_design),
      options(of_options),
      binned(bin_design(design, data.n_trials())),
      channels(choose_channels(data, design.n_components(), options.seed)) {}

SearchProblem WholeProblem::in_small(SearchProgress& progress) const {
  FitOptions quick = options;  // penalties over time have no meaning on scattered time points
  quick.prior = TracePrior::smoothness;
  quick.smoothness = 0.0;
  quick.gamma3.reset();
  quick.decorrelation = 0.0;
  quick.gamma4.reset();
  quick.threads = 1;
  TrialData pooled =
      pool(data, binned.design.label_of_trial,
           {.n_columns = n_pooled_times(binned.design, std::ssize(channels), total_times(data)),
            .width = stretch_width(data, resolve_threads(options.threads)),
            .channels = channels,
            .seed = options.seed ^ kSubsetStream});
  Moments moments(pooled, binned.design.n_components());
  return {std::move(pooled), one_trial_per_label(binned.design), std::move(moments), quick, progress};
}

Components WholeProblem::components_from(const Components& found, SearchProgress& progress) const {
  return fill_in(data, design, options, channels, unbin(binned, design, found), progress.monitor());
}

bool WholeProblem::is_finer() const {
  return std::ssize(channels) < data.n_channels() || binned.design.variants.size() < design.variants.size();
}

}  // namespace milcci
