// What a user should be told about a fit before and after it.
#pragma once

#include <string>
#include <vector>

#include "data/trial_data.hpp"
#include "loop/state.hpp"
#include "milcci/options.hpp"
#include "milcci/trials.hpp"

namespace milcci {

/// Before: data of zeros and more components than channels are refused; categories that cannot adjust and
/// data that signs cannot express are warned of.
void check_against_data(const FitOptions& options, const Design& design, const TrialData& data,
                        std::vector<std::string>& warnings);

/// Without signs or penalties on the traces two components can become alike and cancel each other at any
/// height.
void warn_of_cancellation(const Statistics& statistics, const TrialData& data,
                          std::vector<std::string>& warnings);

/// Categories whose variants are hardly more alike from option to option than different components are: there
/// the consistency penalty pulls together what the data hold apart. `unit`: components of length one.
void warn_of_dissimilar_variants(const Design& design, const Components& unit,
                                 std::vector<std::string>& warnings);

void warn_of_dead_components(const Model& model, std::vector<std::string>& warnings);

}  // namespace milcci
