// One candidate of the search: components assigned to categories, fitted for a while on the pooled time
// points.
#pragma once

#include <cstdint>

#include "data/trial_data.hpp"
#include "loop/state.hpp"
#include "milcci/model.hpp"
#include "milcci/options.hpp"
#include "start/moments.hpp"
#include "start/search_progress.hpp"

namespace milcci {

/// What all candidates share.
struct SearchProblem {
  TrialData data;      ///< pooled time points, one trial per label
  Design design;       ///< one trial per label, many options binned
  Moments moments;     ///< of the channels
  FitOptions options;  ///< without penalties over time, one thread
  SearchProgress& progress;
};

struct Candidate {
  CandidateRecord record;
  State state;
};

/// A sparse dictionary from its own stream of random numbers, fitted without variants, assigned to the
/// categories by what variants would gain, and fitted with them for `iterations`.
constexpr int kSharedIterations = 40;  ///< without variants
Candidate first_candidate(const SearchProblem& problem, std::uint64_t stream, int iterations);

/// Continues the fit for `iterations` at this sparsity.
void continue_candidate(const SearchProblem& problem, double sparsity, int iterations, Candidate& candidate);

/// Exchanges two components of different categories where the gain table promises that their
/// variants are worth more in each other's category, continues the fit, and keeps what lowers the
/// objective. At most `attempts` exchanges.
void try_swaps(const SearchProblem& problem, int attempts, int iterations, Candidate& candidate);

/// Tries to do without each component, weakest first: sets all its memberships to zero and
/// continues the fit of the others. It stays dead if R2 falls by less than `share`. Returns whether
/// any died.
bool drop_redundant(const SearchProblem& problem, double share, int iterations, int threads,
                    Candidate& candidate);

/// |cosine| of every component of `a` with the component of `b` assigned to it, within each category. P
/// numbers.
Vector similarity(const Design& design, const Components& a, const Components& b);

/// sum over the trials of each label of (Y - A Phi) Phi', and of the squared traces: what `gain_table` needs.
struct LabelResiduals {
  std::vector<Matrix> residual;  ///< [l] N x P
  std::vector<Vector> energy;    ///< [l] P
};
LabelResiduals label_residuals(const Design& design, Statistics statistics, const Components& components);

/// gain_table with every component's own variation added back: what variants along each category
/// save in total.
Matrix own_gains(const Design& design, Statistics statistics, const Components& components);

}  // namespace milcci
