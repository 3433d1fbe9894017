// Gaps in simulated trials: single entries, or groups of channels that are away for a while.
#include <algorithm>
#include <cmath>
#include <limits>

#include "simulate/stages.hpp"

namespace milcci::simulation {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

void remove_scattered(double share, Matrix& values, Random& random) {
  for (Index e = 0; e < values.size(); ++e)
    if (random.uniform() < share) values.data()[e] = kNaN;
}

// Neighbouring channels, at most a quarter of them, over a run of at most a quarter of the trial. Blocks may
// overlap; they are laid, whole time points at a time, until n_wanted entries are missing. Returns how many
// are.
Index remove_blocks(Index n_wanted, Matrix& values, Random& random) {
  const Index most_channels = std::max<Index>(1, values.rows() / 4);
  const Index most_times = std::max<Index>(1, values.cols() / 4);
  Index n_removed = 0;
  while (n_removed < n_wanted) {
    const Index n_channels = 1 + random.below(most_channels);
    const Index first_channel = random.below(values.rows() - n_channels + 1);
    const Index n_times = 1 + random.below(most_times);
    const Index first_time = random.below(values.cols() - n_times + 1);
    for (Index t = first_time; t < first_time + n_times && n_removed < n_wanted; ++t) {
      auto block = values.col(t).segment(first_channel, n_channels);
      n_removed += n_channels - block.array().isNaN().count();
      block.setConstant(kNaN);
    }
  }
  return n_removed;
}

}  // namespace

void remove_entries(const SimulateOptions& options, std::vector<Matrix>& values) {
  double owed = 0;  // entries still to remove; any excess of one trial is taken off the next
  for (std::size_t m = 0; m < values.size(); ++m) {
    Random random = random_for(options.seed, Stream::missing, 0, m);
    const Index kept = random.below(values[m].size());
    const double kept_value = values[m].data()[kept];
    if (options.missing_pattern == MissingPattern::scattered) {
      remove_scattered(options.missing, values[m], random);
    } else {
      owed += options.missing * static_cast<double>(values[m].size());
      const Index n_wanted = std::clamp<Index>(std::lround(owed), 0, values[m].size());
      owed -= static_cast<double>(remove_blocks(n_wanted, values[m], random));
    }
    // A trial without any observed entry is no trial: nothing could be fitted to it.
    if (values[m].array().isNaN().all()) values[m].data()[kept] = kept_value;
  }
}

}  // namespace milcci::simulation
