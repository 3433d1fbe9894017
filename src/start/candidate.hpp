// One candidate of the search: components assigned to categories, fitted for a while on the pooled time
// points.
#pragma once

#include <cstdint>

#include "data/trial_data.hpp"
#include "loop/alternate.hpp"
#include "loop/state.hpp"
#include "milcci/model.hpp"
#include "milcci/options.hpp"
#include "start/dictionary.hpp"
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

  double sparsity() const { return options.sparsity.value_or(kDefaultSparsity); }
};

struct Candidate {
  CandidateRecord record;
  State state;
};

constexpr int kSharedIterations = 40;  ///< without variants
/// A sparse dictionary from its own stream of random numbers, assigned to the categories by what
/// variants would gain, and fitted with them for `iterations`. Even streams begin with the data of all
/// labels and fit them without variants first; odd ones begin with the data of few labels.
Candidate first_candidate(const SearchProblem& problem, std::uint64_t stream, int iterations);

/// Continues the fit for `iterations` at this sparsity.
void continue_candidate(const SearchProblem& problem, double sparsity, int iterations, Candidate& candidate);

/// Tries to do without each component, weakest first: sets all its memberships to zero and
/// continues the fit of the others. It stays dead if the squared error rises by less than `loss`, over
/// all that die; where noise decides (start/least_gain.hpp), by each. Returns whether any died.
bool drop_redundant(const SearchProblem& problem, double loss, int iterations, int threads,
                    Candidate& candidate);

/// One pass: traces, sums and F at these components.
StageResult judge(const SearchProblem& problem, State& state);

/// Every component without its variants: the mean over options, at length one. N x P.
Matrix mean_components(const Design& design, const Components& components);
/// Component j (among all P) becomes `a` under every option.
void set_component(const Design& design, Index j, const Vector& a, Components& components);
std::size_t category_of(const Design& design, Index j);
/// Per component, whether it has no member under any option.
std::vector<bool> are_dead(const Components& components);
/// Of the dictionaries that candidates begin from: firmly sparse.
DictionaryOptions dictionary_options(const FitOptions& options);

/// The component of `b` that corresponds to every component of `a`, within each category, and their
/// |cosine|. Options are averaged over; in a free category each option has partners of its own.
struct Correspondence {
  std::vector<std::vector<std::vector<Index>>> partner;  ///< [category][option][component]
  Vector cosine;
};
Correspondence correspondence(const Design& design, const Components& a, const Components& b);
/// The cosines alone.
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
