// Every method in turn: a fit to all trials and its scores, then a fit to some of them and how it predicts
// channels of the others.
#include "milcci/compare_methods.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>

#include "baselines/criteria.hpp"
#include "baselines/too_many_components.hpp"
#include "compare/contestant.hpp"
#include "compare/hold_out.hpp"
#include "compare/noisy_trials.hpp"
#include "compare/numbered_trials.hpp"
#include "compare/variant_distances.hpp"
#include "core/field_checks.hpp"
#include "core/nearest_name.hpp"
#include "data/check_trials.hpp"
#include "evaluate/channel_folds.hpp"
#include "milcci/error.hpp"
#include "util/peak_memory.hpp"

namespace milcci {
namespace {

// Of the data's standard deviation, where a method failed without it (as in the paper).
constexpr double kAddedNoise = 0.1;

void check(const CompareOptions& options) {
  std::vector<std::string> problems = violations(options.fit);
  const auto add = [&](const std::vector<std::string>& more) {
    problems.insert(problems.end(), more.begin(), more.end());
  };
  add(range_violations(options));
  add(range_violations(options.baselines));
  add(range_violations(options.cosmoothing));
  if (options.fit.transform != Transform::none)
    problems.push_back("`transform` gives our model other units than all others; transform the trials first");
  const std::vector<std::string> names = method_names();
  for (const std::string& name : names_of(options)) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    if (name == "all") {
      problems.push_back("`methods` has all and other names; all stands alone");
      continue;
    }
    if (name.empty()) {
      problems.push_back("`methods` has an empty name; names are divided by single commas");
      continue;
    }
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
  if (std::isfinite(evaluation.r2)) scores.r2 = evaluation.r2;
  scores.relative_error = evaluation.relative_error;
  scores.squared_error = evaluation.squared_error;
  scores.sparsity = evaluation.sparsity;
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  const Criteria criteria =
      information_criteria(evaluation.squared_error, n_observed, scores.degrees_of_freedom.value_or(unknown));
  scores.log_likelihood = criteria.log_likelihood;
  if (scores.degrees_of_freedom.value_or(0) >= n_observed) {
    scores.notes.push_back(
        fmt::format("no information criteria: {:.0f} free numbers for {:.0f} observed values",
                    *scores.degrees_of_freedom, n_observed));
  } else if (scores.degrees_of_freedom) {
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
  scores.distances = variant_distances(model);
  for (const Score& score : evaluation.trials) scores.trial_errors.push_back(score.relative_error);
}

// What was not done as it was asked for, of all methods.
std::vector<std::string> notes_of(const CompareOptions& options, const TrialSource& trials) {
  std::vector<std::string> notes;
  if (leaves_out_nonnegative(options))
    notes.push_back("milcci_nonnegative is left out: with `nonnegative` both, milcci is the same");
  if (options.held_out > 0 && trials.n_trials() < 2)
    notes.push_back("no co-smoothing: of a single trial none can be held out");
  else if (options.held_out > 0 && options.cosmoothing.folds > trials.n_channels())
    notes.push_back(fmt::format("{} folds in place of {}: there are {} channels", trials.n_channels(),
                                options.cosmoothing.folds, trials.n_channels()));
  return notes;
}

// Three quarters of the components, half and a quarter.
std::vector<int> fewer_components(int n_components) {
  std::vector<int> counts;
  for (const double share : {0.75, 0.5, 0.25}) {
    const int count = static_cast<int>(share * n_components);
    if (count >= 1 && count < n_components && (counts.empty() || count < counts.back()))
      counts.push_back(count);
  }
  return counts;
}

// The trials of one repeat, those held out, and how all methods are run on them.
class Repeat {
 public:
  Repeat(const TrialSource& trials, const NumberedTrials& numbered, const CompareOptions& options,
         std::uint64_t number, double n_observed, int n_components, std::function<bool()> should_stop)
      : trials_(trials),
        numbered_(numbered.trials),
        options_(options),
        should_stop_(std::move(should_stop)),
        seed_(options.baselines.seed + number),
        n_observed_(n_observed),
        n_components_(n_components),
        cosmoothing_(options.cosmoothing) {
    cosmoothing_.seed = seed_;
    cosmoothing_.folds = std::min(cosmoothing_.folds, static_cast<int>(trials.n_channels()));
    if (options.held_out > 0 && trials.n_trials() > 1)
      split_ = hold_out(trials, options.fit.categories, options.held_out, cosmoothing_.seed);
  }

  std::size_t n_held_out() const { return split_.test.size(); }
  int folds() const { return cosmoothing_.folds; }
  // Without rows yet.
  ComparisonRun begin() const {
    ComparisonRun run;
    run.seed = seed_;
    run.notes = notes_of(options_, trials_);
    if (split_.test.empty() || trials_.n_channels() < 2) return run;
    run.held_out_trials = split_.test;
    run.channel_folds = deal_channels(trials_.n_channels(), cosmoothing_);
    return run;
  }

  // A row. If there were too many components, another with as many as there can be; if the method failed by
  // its numbers, rows with fewer components and noise. `of_some` is the method for some of the trials, which
  // keep their numbers.
  std::vector<MethodScores> run(const Contestant& method, const Contestant& of_some) const {
    Failure failure;
    int count = n_components_;
    std::vector<MethodScores> rows = {run(method, of_some, trials_, numbered_, count, 0, failure)};
    if (!method.can_have_fewer_components) return rows;
    while (failure.at_most > 0 && failure.at_most < count) {
      count = failure.at_most;
      rows.push_back(run(method, of_some, trials_, numbered_, count, 0, failure));
    }
    if (!failure.is_numerical) return rows;
    const TrialSource noisy = noisy_trials(numbered_, kAddedNoise, seed_);
    for (const int fewer : fewer_components(count)) {
      rows.push_back(run(method, of_some, noisy, noisy, fewer, kAddedNoise, failure));
      if (rows.back().failed.empty()) break;
    }
    return rows;
  }

 private:
  // What may help a method that failed.
  struct Failure {
    int at_most = 0;  // components
    bool is_numerical = false;
  };

  MethodScores run(const Contestant& method, const Contestant& of_some, const TrialSource& data,
                   const TrialSource& numbered, int n_components, double noise, Failure& failure) const {
    MethodScores scores;
    failure = {};
    try {
      scores = scored(method, of_some, data, numbered, {seed_, n_components});
    } catch (const baselines::TooManyComponents& error) {
      scores.failed = error.what();
      failure.at_most = static_cast<int>(error.at_most);
    } catch (const Error& error) {
      scores.failed = error.what();
      failure.is_numerical = error.kind() == ErrorKind::numerical;
    } catch (const std::bad_alloc&) {
      scores.failed = "out of memory";
    }
    scores.name = method.name;
    if (!scores.failed.empty()) scores.n_components = n_components;
    scores.n_asked = n_components;
    scores.added_noise = noise;
    return scores;
  }

  // Fitted to `data`, which may have more noise than the trials; always scored by the trials.
  MethodScores scored(const Contestant& method, const Contestant& of_some, const TrialSource& data,
                      const TrialSource& numbered, Attempt attempt) const {
    std::string tuned;
    if (options_.tune) tuned = tune(of_some, numbered, attempt);
    const PeakMemory memory;
    ContestantFit fitted = method.fit(data, attempt);
    MethodScores& scores = fitted.scores;
    scores.peak_memory = memory.bytes();
    scores.tuned = tuned;
    scores.n_components = static_cast<int>(fitted.model.n_components());
    set_scores(fitted.model, trials_, n_observed_, scores);
    scores.cosmoothing_note = why_no_cosmoothing(fitted);
    if (!scores.cosmoothing_note.empty()) return scores;
    try {
      const ContestantFit train = of_some.fit(numbered.some_trials(split_.train), attempt);
      const CoSmoothing found = train.cosmooth(numbered_.some_trials(split_.test), cosmoothing_);
      if (should_stop_()) {
        scores.cosmoothing_note = "stopped before it was done";
        return scores;
      }
      if (std::isfinite(found.r2))
        scores.cosmoothing_r2 = found.r2;
      else
        scores.cosmoothing_note = "no channel changes in the trials held out";
      scores.bits_per_spike = found.bits_per_spike;
    } catch (const Error& error) {
      scores.cosmoothing_note = error.what();
    }
    return scores;
  }

  std::string why_no_cosmoothing(const ContestantFit& fitted) const {
    if (!fitted.cosmooth) return fitted.why_no_cosmoothing;
    if (should_stop_()) return "stopped before it was done";
    if (split_.test.empty()) return "no trial is held out";
    if (trials_.n_channels() < 2) return "a single channel has no other to be predicted from";
    return "";
  }

  // The value of the knob that predicts channels best, in some of the trials that are not held out from fits
  // to the others of them.
  std::string tune(const Contestant& method, const TrialSource& data, Attempt& attempt) const {
    if (method.knob.empty()) return "no knob";
    const TrialSource inner = split_.train.empty() ? data : data.some_trials(split_.train);
    const double share = options_.held_out > 0 ? options_.held_out : CompareOptions{}.held_out;
    const HeldOut split = hold_out(inner, options_.fit.categories, share, cosmoothing_.seed);
    if (trials_.n_channels() < 2) return "default: a single channel has no other to be predicted from";
    if (split.test.empty() || split.train.empty()) return "default: there are too few trials";
    const TrialSource train = inner.some_trials(split.train), test = inner.some_trials(split.test);
    std::vector<std::optional<double>> values = {method.usual_knob};
    for (const double value : method.knob_values)
      if (value != method.usual_knob) values.emplace_back(value);
    double best = -std::numeric_limits<double>::infinity();
    ContestantFit fitted;
    for (const std::optional<double>& value : values) {
      Attempt trial = attempt;
      trial.knob = value;
      try {
        if (method.is_knob_of_fit || !fitted.cosmooth)
          fitted = method.fit(train, trial);
        else
          fitted.set_knob(*value);
        if (!fitted.cosmooth || (!method.is_knob_of_fit && !fitted.set_knob)) return "no knob";
        const double r2 = fitted.cosmooth(test, cosmoothing_).r2;
        if (should_stop_()) return "default: stopped before it was done";
        if (!(r2 > best)) continue;
        best = r2;
        attempt.knob = value;
      } catch (const Error&) {
        if (!method.is_knob_of_fit) break;
        continue;  // with fewer trials, or with this value, it may fail where it does not with all
      }
    }
    return attempt.knob ? fmt::format("{} {:g}", method.knob, *attempt.knob) : std::string("default");
  }

  const TrialSource& trials_;
  const TrialSource& numbered_;
  const CompareOptions& options_;
  std::function<bool()> should_stop_;
  std::uint64_t seed_;
  double n_observed_;
  int n_components_;
  CoSmoothingOptions cosmoothing_;
  HeldOut split_;
};

}  // namespace

MethodComparison compare_methods(const TrialSource& trials, const CompareOptions& options,
                                 const MethodCallback& progress) {
  check(options);
  check_trials(trials);
  MethodComparison result;
  MethodProgress at;
  const auto should_stop = [&] {
    if (progress && progress(at) == Continue::stop) result.is_interrupted = true;
    at.is_new = false;
    return result.is_interrupted;
  };
  const NumberedTrials numbered = numbered_trials(trials, options.fit.categories);
  const std::vector<Contestant> methods = contestants(options, options.fit.categories, should_stop);
  const std::vector<Contestant> of_some = contestants(options, numbered.categories, should_stop);
  result.n_trials = trials.n_trials();
  result.n_channels = trials.n_channels();
  for (const CategorySpec& category : options.fit.categories) result.n_components += category.n_components;
  result.n_observed = count_observed(trials);
  result.seed = options.baselines.seed;
  for (at.repeat = 0; at.repeat < options.repeats; ++at.repeat) {
    const Repeat repeat(trials, numbered, options, static_cast<std::uint64_t>(at.repeat), result.n_observed,
                        static_cast<int>(result.n_components), should_stop);
    result.n_held_out = repeat.n_held_out();
    result.folds = repeat.folds();
    result.runs.push_back(repeat.begin());
    for (std::size_t i = 0; i < methods.size(); ++i) {
      at.method = methods[i].name;
      at.is_new = true;
      if (should_stop()) return result;
      for (MethodScores& scores : repeat.run(methods[i], of_some[i]))
        result.runs.back().methods.push_back(std::move(scores));
      if (result.is_interrupted) return result;
    }
  }
  return result;
}

}  // namespace milcci
