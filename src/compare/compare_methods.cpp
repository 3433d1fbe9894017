// Every method in turn: a fit to all trials and its scores, then a fit to some of them and how it predicts
// channels of the others.
#include "milcci/compare_methods.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <new>

#include "baselines/criteria.hpp"
#include "compare/hold_out.hpp"
#include "compare/own_degrees_of_freedom.hpp"
#include "core/field_checks.hpp"
#include "core/nearest_name.hpp"
#include "data/check_trials.hpp"
#include "milcci/error.hpp"

namespace milcci {
namespace {

constexpr const char* kOurs = "milcci";

std::vector<std::string> all_names() {
  std::vector<std::string> names = {kOurs};
  const std::vector<std::string>& others = value_names(Baseline{});
  names.insert(names.end(), others.begin(), others.end());
  return names;
}

bool wants_all(const CompareOptions& options) {
  return options.methods.empty() || options.methods == std::vector<std::string>{"all"};
}

void check(const CompareOptions& options) {
  std::vector<std::string> problems = violations(options.fit);
  const auto add = [&](const std::vector<std::string>& more) {
    problems.insert(problems.end(), more.begin(), more.end());
  };
  add(range_violations(options));
  add(range_violations(options.baselines));
  const std::vector<std::string> names = all_names();
  for (const std::string& name : wants_all(options) ? names : options.methods) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    const std::string meant = nearest_name(name, names);
    problems.push_back(fmt::format("`methods` has {}, must be among {}{}", name, fmt::join(names, ", "),
                                   meant.empty() ? "" : "; did you mean " + meant + "?"));
  }
  if (!problems.empty())
    throw Error(ErrorKind::bad_option, fmt::format("invalid options: {}", fmt::join(problems, "; ")));
}

double count_observed(const TrialSource& trials) {
  double count = 0;
  TrialBuffer buffer;
  for (std::size_t m = 0; m < trials.n_trials(); ++m) {
    const auto y = trials.doubles(m, buffer);
    count += static_cast<double>(y.size() - y.array().isNaN().count());
  }
  return count;
}

void set_scores(const Model& model, const TrialSource& trials, double n_observed, MethodScores& scores) {
  const Evaluation evaluation = evaluate(model, trials);
  scores.r2 = evaluation.r2;
  scores.relative_error = evaluation.relative_error;
  scores.squared_error = evaluation.squared_error;
  scores.sparsity = evaluation.sparsity;
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  const Criteria criteria =
      information_criteria(evaluation.squared_error, n_observed, scores.degrees_of_freedom.value_or(unknown));
  scores.log_likelihood = criteria.log_likelihood;
  if (scores.degrees_of_freedom) {
    scores.aic = criteria.aic;
    scores.bic = criteria.bic;
    scores.hqc = criteria.hqc;
  }
  if (evaluation.truth) {
    scores.component_correlation = evaluation.truth->component_correlation;
    scores.trace_correlation = evaluation.truth->trace_correlation;
  }
  for (const FittedCategory& fitted : model.categories)
    scores.components.push_back({fitted.category.spec.name, fitted.category.options, fitted.variants});
}

void set_cosmoothing(const CoSmoothing& cosmoothing, MethodScores& scores) {
  scores.cosmoothing_r2 = cosmoothing.r2;
  scores.bits_per_spike = cosmoothing.bits_per_spike;
}

MethodScores failed(const std::string& name, const std::string& reason) {
  MethodScores scores;
  scores.name = name;
  scores.failed = reason;
  return scores;
}

// Trials, those held out, and how all methods are run.
class Comparison {
 public:
  Comparison(const TrialSource& trials, CompareOptions options)
      : trials_(trials), options_(std::move(options)), n_observed_(count_observed(trials)) {
    int n_components = 0;
    for (const CategorySpec& category : options_.fit.categories) n_components += category.n_components;
    options_.baselines.n_components = n_components;
    options_.fit.seed = options_.baselines.seed;
    options_.fit.time_limit = options_.baselines.time_limit;
    if (options_.held_out > 0 && trials.n_trials() > 1)
      split_ = hold_out(trials, options_.fit.categories, options_.held_out, options_.cosmoothing.seed);
    options_.cosmoothing.folds = std::min(options_.cosmoothing.folds, static_cast<int>(trials.n_channels()));
  }

  MethodScores run(const std::string& name) const {
    MethodScores scores;
    scores.name = name;
    try {
      name == kOurs ? run_ours(scores) : run_baseline(name, scores);
    } catch (const Error& error) {
      scores = failed(name, error.what());
    } catch (const std::bad_alloc&) {
      scores = failed(name, "out of memory");
    }
    return scores;
  }

  MethodComparison empty_result() const {
    return {.n_trials = trials_.n_trials(),
            .n_held_out = split_.test.size(),
            .n_channels = trials_.n_channels(),
            .n_components = options_.baselines.n_components,
            .n_observed = n_observed_,
            .folds = options_.cosmoothing.folds,
            .seed = options_.baselines.seed,
            .methods = {}};
  }

 private:
  void run_ours(MethodScores& scores) const {
    const FitResult fitted = fit(trials_, options_.fit);
    scores.stopped = to_text(fitted.summary.reason);
    scores.message = fitted.summary.message;
    scores.iterations = static_cast<int>(fitted.summary.iterations.size());
    scores.seconds = fitted.summary.seconds_total;
    const DegreesOfFreedom degrees = own_degrees_of_freedom(fitted);
    scores.degrees_of_freedom = degrees.count;
    scores.degrees_of_freedom_note = degrees.note;
    set_scores(fitted.model, trials_, n_observed_, scores);
    if (!can_cosmooth(scores)) return;
    const FitResult train = fit(trials_.some_trials(split_.train), options_.fit);
    set_cosmoothing(
        cosmooth(train.model, train.summary.options, trials_.some_trials(split_.test), options_.cosmoothing),
        scores);
  }

  void run_baseline(const std::string& name, MethodScores& scores) const {
    const std::vector<std::string>& names = value_names(Baseline{});
    const auto method = static_cast<Baseline>(std::find(names.begin(), names.end(), name) - names.begin());
    const BaselineFit fitted = fit_baseline(trials_, method, options_.baselines, options_.fit.categories);
    scores.stopped = to_text(fitted.reason);
    scores.message = fitted.message;
    scores.iterations = fitted.iterations;
    scores.seconds = fitted.seconds;
    scores.notes = fitted.notes;
    scores.degrees_of_freedom = fitted.degrees_of_freedom;
    scores.degrees_of_freedom_note = fitted.degrees_of_freedom_note;
    scores.marginal_log_likelihood = fitted.marginal_log_likelihood;
    set_scores(fitted.model, trials_, n_observed_, scores);
    if (!fitted.trace_rule.why_impossible.empty()) {
      scores.cosmoothing_note = fitted.trace_rule.why_impossible;
      return;
    }
    if (!can_cosmooth(scores)) return;
    try {
      const BaselineFit train = fit_baseline(trials_.some_trials(split_.train), method, options_.baselines,
                                             options_.fit.categories);
      set_cosmoothing(cosmooth(train, trials_.some_trials(split_.test), options_.cosmoothing), scores);
    } catch (const Error& error) {
      scores.cosmoothing_note = error.what();
    }
  }

  bool can_cosmooth(MethodScores& scores) const {
    if (split_.test.empty())
      scores.cosmoothing_note = "no trial is held out";
    else if (trials_.n_channels() < 2)
      scores.cosmoothing_note = "a single channel has no other to be predicted from";
    return scores.cosmoothing_note.empty();
  }

  const TrialSource& trials_;
  CompareOptions options_;
  double n_observed_;
  HeldOut split_;
};

}  // namespace

MethodComparison compare_methods(const TrialSource& trials, const CompareOptions& options,
                                 const MethodCallback& progress) {
  check(options);
  check_trials(trials);
  const Comparison comparison(trials, options);
  MethodComparison result = comparison.empty_result();
  for (const std::string& name : wants_all(options) ? all_names() : options.methods) {
    if (progress && progress(name) == Continue::stop) break;
    result.methods.push_back(comparison.run(name));
  }
  return result;
}

}  // namespace milcci
