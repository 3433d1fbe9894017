// Which variant belongs to which where memberships do not tell: components whose traces go on.
#pragma once

#include "loop/state.hpp"

namespace milcci {

/// In categories whose variants are hardly more alike than different components are, the order of
/// components that `align_variants` finds is arbitrary. Where mean traces over the trials of an
/// option tell which component under one option continues which under another, puts the components,
/// with their traces, in that order. Leaves alone what they do not clearly tell. The consistency
/// term may rise. Returns whether anything changed.
bool align_by_traces(const Design& design, bool may_flip, State& state);

/// Whether the traces tell it for all components and options of category k.
bool do_traces_tell(const Design& design, bool may_flip, const State& state, std::size_t k);

}  // namespace milcci
