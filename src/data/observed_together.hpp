// Which channels were observed at the same time points: what the values can say of pairs of
// channels, and what they cannot.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "data/trial_data.hpp"

namespace milcci {

/// Trials that have the same channels. Channels that are missing throughout a trial are not among
/// them.
struct Session {
  std::size_t n_trials = 0;
  std::vector<bool> has_channel;  ///< N
  std::size_t n_channels() const;
};

struct ObservedTogether {
  std::size_t n_pairs = 0;  ///< of channels with any value
  std::size_t n_apart = 0;  ///< pairs without a time point at which both were observed
  /// Groups of channels that no time point ties to one another, not even by way of other channels;
  /// 1 if all hang together.
  std::size_t n_parts = 1;
  /// Set if pairs are apart because the trials fall into a few groups with channels of their own.
  std::vector<Session> sessions;

  double share_apart() const;
  /// Whether there are enough such pairs to tell of.
  bool is_noticeable() const;
  /// The fewest channels that a session has in common with any other.
  std::size_t n_tying() const;
  /// So few that components of different sessions may be taken for one another.
  bool is_loosely_tied() const;
};

/// What was found and what therefore cannot be known, in one sentence. For results with pairs
/// apart.
std::string describe(const ObservedTogether& together);

/// Linear in the data where every channel was observed at more than half of all time points.
/// Otherwise each two channels with different gaps are compared, mostly at first sight.
ObservedTogether observed_together(const TrialData& data);

}  // namespace milcci
