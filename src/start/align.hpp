// Which variant belongs to which: components of one category that traded places under some of its options.
#pragma once

#include "loop/state.hpp"

namespace milcci {

/// Exchanging two components of a category under one option, with their traces in that option's
/// trials, changes nothing in F but the consistency term. Neither does flipping the sign of a
/// component under one option, if signs are free. Finds the exchanges and flips that lower
///   sum_(i, i') w(i, i') sum_j ||a_j(i) - a_j(i')||^2,
/// an assignment problem per option, and carries them out. Returns whether any was found.
bool align_variants(const Design& design, bool may_flip, State& state);

}  // namespace milcci
