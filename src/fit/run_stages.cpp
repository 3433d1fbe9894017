#include "fit/run_stages.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "fit/members.hpp"
#include "loop/huber.hpp"
#include "loop/normalise.hpp"
#include "start/align.hpp"
#include "start/align_by_traces.hpp"
#include "util/parallel.hpp"

namespace milcci {
namespace {

// Whether weights frozen where the stage ended are others than those of the stage: F by the two
// differs by about as much as refreezing may change F.
bool has_drifted(const StageResult& stage, double tolerance) {
  constexpr double kTolerances = 250;
  const double own = stage.objective.total();
  return std::abs(stage.value_by_stage_weights - own) > kTolerances * tolerance * own;
}

// Where signs are free, components may cancel each other more and more, while F falls by the frozen weights
// and rises by those of the state.
bool has_cancelled(const StageResult& stage, const FitOptions& options) {
  constexpr double kMuchWorse = 5e-3;
  return options.nonnegative != NonNegative::both && stage.reason != StopReason::interrupted &&
         stage.objective.ridge > stage.at_start.ridge &&
         stage.objective.total() > (1.0 + kMuchWorse) * stage.at_start.total();
}

// What a stage may have to be taken back to. Traces follow from the components, unless they depend
// on where their solver began.
State copy_of(const State& state, const FitOptions& options) {
  const bool depends_on_start =
      options.prior == TracePrior::lds || options.gamma4.value_or(options.decorrelation) > 0;
  State copy;
  copy.components = state.components;
  if (depends_on_start) copy.traces = state.traces, copy.transitions = state.transitions;
  return copy;
}

// Runs one stage after the other on the same state.
class Stages {
 public:
  Stages(TrialData& data, TrialData* with_outliers, const Design& design, const FitOptions& options,
         Calibrator& calibrator, State& state, Monitor& monitor)
      : data_(data),
        with_outliers_(with_outliers),
        design_(design),
        options_(options),
        calibrator_(calibrator),
        state_(state),
        monitor_(monitor) {
    stage_.number = 0;
    stage_.sparsity = options.sparsity.value_or(kDefaultSparsity);
    stage_.tolerance = options.tolerance;
    stage_.component_tolerance = options.component_tolerance;
  }

  /// The next stage, of at most so many iterations. Weights are frozen where it begins.
  void run(int most = std::numeric_limits<int>::max()) {
    stage_.number += 1;
    stage_.rounds = rounds_worth_having(data_, design_, state_.components);
    stage_.calibration = calibrator_.calibration();
    stage_.max_iterations = std::min(most, options_.max_iterations - monitor_.n_iterations());
    last_ = alternate(data_, design_, calibrator_.options_now(), stage_, state_, monitor_,
                      std::move(last_.statistics));
    reason_ = last_.reason;
  }

  /// Short stages until the estimates between them settle.
  void calibrate() {
    constexpr int kFirst = 1, kShort = 4, kMaxEstimates = 25;
    constexpr double kRoughly = 0.5, kSettled = 0.05;
    run(kFirst);
    bool has_chosen = false;
    for (int n = 0; n < kMaxEstimates && may_go_on(); ++n) {
      const double change = calibrator_.estimate(last_.statistics, state_);
      if (n == 0) {
        chooses_members_ = chooses_members(options_) && !calibrator_.leaves_little();
        has_chosen = !chooses_members_;
      }
      if (calibrator_.calibration() != nullptr && chooses_members_ && change < kRoughly) {
        has_chosen = !calibrator_.drop_noise(state_);
        if (has_chosen) calibrator_.choose_members(state_);
      }
      forget_sums();
      renew_targets();
      if (change < kSettled && has_chosen) return;
      run(kShort);
    }
  }

  /// Without the memberships that cannot be told from zero, which changes the standard errors of the others.
  void choose_members() {
    constexpr int kMaxChoices = 2;
    if (calibrator_.calibration() == nullptr || !chooses_members_) return;
    for (int n = 0; n < kMaxChoices && may_go_on(); ++n) {
      if (!calibrator_.choose_members(state_)) return;
      forget_sums();
      run();
    }
  }

  /// Huber's loss: until targets and model agree.
  void settle_targets() {
    constexpr int kMaxRounds = 6, kFewIterations = 2;
    for (int n = 0; n < kMaxRounds && with_outliers_ != nullptr && may_go_on(); ++n) {
      const int before = monitor_.n_iterations();
      renew_targets();
      run();
      if (monitor_.n_iterations() - before <= kFewIterations) return;
    }
  }

  /// From `start` again, with weights that follow the state, in this stage and all later ones.
  void run_with_weights_that_follow(State start) {
    state_ = std::move(start);
    stage_.weights_follow = true;
    forget_sums();
    run();
  }

  /// Again where components traded places, or where weights have drifted.
  void repeat_where_needed() {
    constexpr int kMaxRepeats = 3;
    constexpr double kWorse = 1e-3;
    for (int n = 0; n < kMaxRepeats && reason_ == StopReason::converged && may_go_on(); ++n) {
      State before = copy_of(state_, options_);
      const double value_before = last_.objective.total();
      const bool has_traded = align_variants(design_, may_flip(), state_);
      if (!has_traded && !has_drifted(last_, options_.tolerance)) return;
      if (has_traded) forget_sums();  // of the order before
      run();
      if (last_.objective.total() <= (1.0 + kWorse) * value_before) continue;
      state_ = std::move(before);  // weights and fit would follow each other away
      if (reason_ != StopReason::interrupted) reason_ = StopReason::converged;
      return;
    }
  }

  StageResult make_traces_exact() {
    forget_sums();
    if (chooses_members_) calibrator_.keep_members();
    if (calibrator_.calibration() != nullptr && chooses_members(options_) && !chooses_members_) {
      cut_small_memberships(state_.components);
      normalise(design_, Scale::length_one, state_);
    }
    StageResult result =
        milcci::make_traces_exact(data_, design_, options_, calibrator_.calibration(), state_, monitor_);
    if (const Calibration* calibration =
            calibrator_.calibration()) {  // of these traces, as `evaluate` has it
      calibrator_.update_uncertainty(state_);
      result.objective.uncertainty = 0;
      for (std::size_t l = 0; l < calibration->uncertainty.size(); ++l)
        result.objective.uncertainty +=
            result.statistics.labels[l].H.cwiseProduct(calibration->uncertainty[l]).sum();
    }
    return result;
  }

  bool may_go_on() const {
    return reason_ != StopReason::interrupted && monitor_.n_iterations() < options_.max_iterations;
  }
  /// What the fit is to describe, where outliers are to count for little.
  void renew_targets() {
    if (with_outliers_ == nullptr || state_.traces.empty()) return;
    with_outliers_->set_frame(data_.frame());
    data_ = *with_outliers_;  // the targets of before need memory
    data_ = huber_targets(*with_outliers_, design_, state_, std::sqrt(calibrator_.noise()),
                          resolve_threads(options_.threads))
                .data;
    forget_sums();
  }
  bool may_flip() const { return options_.nonnegative == NonNegative::none; }
  void forget_sums() { last_.statistics = {}; }
  const StageResult& last() const { return last_; }
  StopReason reason() const { return reason_; }

 private:
  TrialData& data_;
  TrialData* with_outliers_;
  const Design& design_;
  const FitOptions& options_;
  Calibrator& calibrator_;
  State& state_;
  Monitor& monitor_;
  Stage stage_;
  StageResult last_;
  StopReason reason_ = StopReason::iteration_limit;
  bool chooses_members_ = false;  ///< by their standard errors
};

}  // namespace

StageResult run_stages(TrialData& data, TrialData* with_outliers, const Design& design,
                       const FitOptions& options, Calibrator& calibrator, State& state, Monitor& monitor,
                       FitSummary& summary) {
  Stages stages(data, with_outliers, design, options, calibrator, state, monitor);
  if (calibrator.is_needed()) stages.calibrate();
  State start = copy_of(state, options);
  stages.run();
  if (has_cancelled(stages.last(), options) && stages.may_go_on())
    stages.run_with_weights_that_follow(std::move(start));
  stages.repeat_where_needed();
  stages.choose_members();
  stages.settle_targets();
  StageResult result = stages.make_traces_exact();
  if (stages.reason() == StopReason::converged && stages.may_go_on() &&
      align_by_traces(design, stages.may_flip(), state)) {
    result = {};
    stages.run();
    stages.settle_targets();
    result = stages.make_traces_exact();
  }
  summary.reason = stages.reason();
  return result;
}

StageResult make_traces_exact(const TrialData& data, const Design& design, const FitOptions& options,
                              const Calibration* calibration, State& state, Monitor& monitor) {
  const Stage stage{.number = 0,
                    .sparsity = options.sparsity.value_or(kDefaultSparsity),
                    .max_iterations = 0,
                    .traces = {},
                    .calibration = calibration};
  return alternate(data, design, options, stage, state, monitor);
}

int rounds_worth_having(const TrialData& data, const Design& design, const Components& components) {
  constexpr double kValuesPerMembership = 500;
  double n_data = 0;
  for (std::size_t m = 0; m < data.n_trials(); ++m)
    n_data += static_cast<double>(data.n_channels() * data.n_times(m));
  return kValuesPerMembership * static_cast<double>(n_values(design, components)) <= n_data ? 2 : 1;
}

}  // namespace milcci
