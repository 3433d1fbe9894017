// Which channels belong to a component.
#pragma once

#include "label_graphs/design.hpp"
#include "loop/state.hpp"

namespace milcci {

/// How many standard errors from zero a membership must be. Memberships `z`, in standard errors, are zeros,
/// z ~ N(0, 1), with probability p, or members, z ~ N(0, s^2); `n_zero` more are known to be zeros. p and s
/// are estimated by expectation maximisation. In doubt a channel is a member: one too many costs little, one
/// that is missing costs predictions. Where hardly any are zeros, as in many real data, next to nothing is
/// left out.
double least_distance(const std::vector<double>& z, double n_zero);

/// Memberships that are closer to zero than that become zero, as do those far below the mean one. `errors`:
/// of every variant, [k] p_k x n_options. Returns whether any did.
bool choose_members(const Design& design, const std::vector<Matrix>& errors, Components& components);

/// What is next to nothing beside the other members becomes zero, whatever its standard error.
void cut_small_memberships(Components& components);

}  // namespace milcci
