// What a user should be told about a fit before and after it.
#pragma once

#include <string>
#include <vector>

#include "data/observed_together.hpp"
#include "data/trial_data.hpp"
#include "loop/state.hpp"
#include "milcci/options.hpp"
#include "milcci/trials.hpp"

namespace milcci {

/// Before: data of zeros and more components than channels are refused; categories that cannot adjust and
/// data that signs cannot express are warned of.
void check_against_data(const FitOptions& options, const Design& design, const TrialData& data,
                        std::vector<std::string>& warnings);

/// Most components that are alive are not firm.
void warn_of_uncertainty(const FitSummary& summary, std::vector<std::string>& warnings);

/// Without signs or penalties on the traces two components can become alike and cancel each other at any
/// height.
void warn_of_cancellation(const Statistics& statistics, const TrialData& data,
                          std::vector<std::string>& warnings);

/// Categories whose variants are hardly more alike from option to option than different components are: there
/// the consistency penalty pulls together what the data hold apart, and unless traces tell it, which
/// component continues which is arbitrary. Components have length one.
void warn_of_dissimilar_variants(const Design& design, bool may_flip, const State& state,
                                 std::vector<std::string>& warnings);

/// Before: pairs of channels that were never observed together.
void warn_of_channels_apart(const ObservedTogether& together, std::vector<std::string>& warnings);

/// Components whose members were all recorded in one session only.
void warn_of_components_of_one_session(const Model& model, const ObservedTogether& together,
                                       std::vector<std::string>& warnings);

/// Why a component has no member left.
struct Deaths {
  std::vector<bool> is_dropped;     ///< per component: the others did as well without it
  Vector r2_gain;                   ///< per component: with it R2 would rise by that; NaN or empty: unknown
  double redundancy = 0;            ///< the rise of R2 below which it is not needed
  bool is_judged_by_noise = false;  ///< and not only by `redundancy`
  std::vector<bool> is_noise = {};  ///< per component: it did not stand out of the noise
  bool is_given_start = false;
};
void warn_of_dead_components(const Model& model, const Deaths& deaths, const ObservedTogether& together,
                             std::vector<std::string>& warnings);

}  // namespace milcci
