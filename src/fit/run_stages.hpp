// The main loop on the whole data, repeated where that makes a difference.
#pragma once

#include "data/trial_data.hpp"
#include "fit/calibrate.hpp"
#include "loop/alternate.hpp"
#include "milcci/model.hpp"

namespace milcci {

/// Short stages, with offsets, noise levels and weights of penalties estimated between them, until these
/// settle. Then the loop until it converges, and again, at most three times, where
/// - components of a category traded places under some option, which no iteration undoes, or
/// - the penalty weights, frozen when the loop began, are no longer those of where it ended.
/// What makes F worse is taken back. Once more where variants are as unlike as strangers and traces
/// tell their order. Then the traces exactly. Returns that last pass; sets `summary.reason`.
/// With Huber's loss, `with_outliers` are the data, null otherwise, and `data` the targets of the fit.
StageResult run_stages(TrialData& data, TrialData* with_outliers, const Design& design,
                       const FitOptions& options, Calibrator& calibrator, State& state, Monitor& monitor,
                       FitSummary& summary);

/// The traces exactly, at components that stay as they are.
StageResult make_traces_exact(const TrialData& data, const Design& design, const FitOptions& options,
                              const Calibration* calibration, State& state, Monitor& monitor);

/// Sweeps of a component update, two or one. A second sweep over the variants saves iterations. It
/// is worth having where a sweep takes at most a tenth of a pass, which is some five hundred values
/// of the data per membership.
int rounds_worth_having(const TrialData& data, const Design& design, const Components& components);

}  // namespace milcci
