#include "compare/contestant.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <utility>

#include "compare/own_degrees_of_freedom.hpp"

namespace milcci {
namespace {

constexpr const char* kOurs = "milcci";
constexpr const char* kOursNonNegative = "milcci_nonnegative";

ContestantFit told(FitResult fitted, const TrialSource& trials) {
  ContestantFit found;
  found.scores.stopped = to_text(fitted.summary.reason);
  found.scores.message = fitted.summary.message;
  found.scores.iterations = static_cast<int>(fitted.summary.iterations.size());
  found.scores.seconds = fitted.summary.seconds_total;
  found.scores.notes = fitted.summary.warnings;
  const DegreesOfFreedom degrees = own_degrees_of_freedom(fitted, trials);
  found.scores.degrees_of_freedom = degrees.count;
  found.scores.degrees_of_freedom_note = degrees.note;
  found.model = fitted.model;
  const auto kept = std::make_shared<const FitResult>(std::move(fitted));
  found.cosmooth = [kept](const TrialSource& others, const CoSmoothingOptions& options) {
    return cosmooth(kept->model, kept->summary.options, others, options);
  };
  return found;
}

ContestantFit told(BaselineFit fitted) {
  ContestantFit found;
  found.scores.stopped = to_text(fitted.reason);
  found.scores.message = fitted.message;
  found.scores.iterations = fitted.iterations;
  found.scores.seconds = fitted.seconds;
  found.scores.notes = fitted.notes;
  found.scores.degrees_of_freedom = fitted.degrees_of_freedom;
  found.scores.degrees_of_freedom_note = fitted.degrees_of_freedom_note;
  found.scores.marginal_log_likelihood = fitted.marginal_log_likelihood;
  found.why_no_cosmoothing = fitted.trace_rule.why_impossible;
  found.model = fitted.model;
  if (!found.why_no_cosmoothing.empty()) return found;
  const auto kept = std::make_shared<BaselineFit>(std::move(fitted));
  const Matrix usual = kept->trace_rule.ridge;
  if (usual.size() > 0)
    found.set_knob = [kept, usual](double factor) { kept->trace_rule.ridge = factor * usual; };
  found.cosmooth = [kept](const TrialSource& trials, const CoSmoothingOptions& options) {
    return cosmooth(*kept, trials, options);
  };
  return found;
}

Contestant ours(FitOptions own, const CompareOptions& options, const std::function<bool()>& should_stop) {
  own.time_limit = options.baselines.time_limit;
  return {.name = kOurs,
          .knob = "consistency",
          .knob_values = {0.01, 0.1, 1, 10},
          .fit = [own, should_stop](const TrialSource& trials, const Attempt& attempt) {
            FitOptions chosen = own;
            chosen.seed = attempt.seed;
            if (attempt.knob) chosen.consistency = *attempt.knob;
            return told(fit(trials, chosen,
                            [&](const Progress&) {
                              return should_stop && should_stop() ? Continue::stop : Continue::yes;
                            }),
                        trials);
          }};
}

Contestant ours_nonnegative(FitOptions own, const CompareOptions& options,
                            const std::function<bool()>& should_stop) {
  own.nonnegative = NonNegative::both;
  Contestant contestant = ours(own, options, should_stop);
  contestant.name = kOursNonNegative;
  return contestant;
}

// What new traces are shrunken by, as a multiple of the usual ridge.
const std::vector<double> kRidges = {0, 0.1, 0.3, 1, 3, 10, 30, 100};

// The ridge is of new traces, not of the fit.
ContestantFit told(BaselineFit fitted, const std::optional<double>& ridge) {
  ContestantFit found = told(std::move(fitted));
  if (ridge && found.set_knob) found.set_knob(*ridge);
  return found;
}

BaselineOptions options_of(const CompareOptions& options, const std::function<bool()>& should_stop,
                           const Attempt& attempt) {
  BaselineOptions own = options.baselines;
  own.seed = attempt.seed;
  own.n_components = attempt.n_components;
  own.should_stop = should_stop;
  return own;
}

// Methods whose trials share their time courses have no ridge, and slices no traces of new trials.
bool has_ridge(Baseline method) {
  switch (method) {
    case Baseline::parafac:
    case Baseline::parafac_nonnegative:
    case Baseline::tucker:
    case Baseline::slicetca_2:
    case Baseline::slicetca_2_positive:
    case Baseline::sibblings:
      return false;
    default:
      return true;
  }
}

Contestant baseline(Baseline method, const CompareOptions& options,
                    const std::function<bool()>& should_stop) {
  const bool is_sibblings = method == Baseline::sibblings;
  return {.name = to_text(method),
          .knob = is_sibblings        ? "sparsity x"
                  : has_ridge(method) ? "ridge x"
                                      : "",
          .knob_values = is_sibblings ? std::vector<double>{0.1, 0.3, 3, 10} : kRidges,
          .usual_knob = 1,
          .is_knob_of_fit = is_sibblings,
          .can_have_fewer_components = true,
          .fit = [=, &options](const TrialSource& trials, const Attempt& attempt) {
            BaselineOptions own = options_of(options, should_stop, attempt);
            if (attempt.knob && is_sibblings) own.sibblings_sparsity *= *attempt.knob;
            return told(fit_baseline(trials, method, own, options.fit.categories),
                        is_sibblings ? std::nullopt : attempt.knob);
          }};
}

Contestant other(const OtherMethod& method, const CompareOptions& options,
                 const std::function<bool()>& should_stop) {
  return {.name = method.name,
          .knob = "ridge x",
          .knob_values = kRidges,
          .usual_knob = 1,
          .is_knob_of_fit = false,
          .fit = [=, &options, &method](const TrialSource& trials, const Attempt& attempt) {
            const auto begin = std::chrono::steady_clock::now();
            BaselineFit fitted = method.fit(trials, options_of(options, should_stop, attempt));
            fitted.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
            if (fitted.model.n_components() != attempt.n_components)
              fitted.notes.push_back(fmt::format("has {} components, the others {}",
                                                 fitted.model.n_components(), attempt.n_components));
            return told(std::move(fitted), attempt.knob);
          }};
}

bool asks_for_all(const CompareOptions& options) {
  return options.methods == std::vector<std::string>{"all"} ||
         (options.methods.empty() && options.others.empty());
}

// The second of a name is "name 2", and so on: rows are known by their names.
void number_alike(std::vector<Contestant>& all) {
  std::map<std::string, int> count;
  for (Contestant& contestant : all)
    if (const int n = ++count[contestant.name]; n > 1) contestant.name += fmt::format(" {}", n);
}

}  // namespace

std::vector<std::string> method_names() {
  std::vector<std::string> names = {kOurs, kOursNonNegative};
  const std::vector<std::string>& others = value_names(Baseline{});
  names.insert(names.end(), others.begin(), others.end());
  return names;
}

bool leaves_out_nonnegative(const CompareOptions& options) {
  return asks_for_all(options) && options.fit.nonnegative == NonNegative::both;
}

std::vector<std::string> names_of(const CompareOptions& options) {
  if (!asks_for_all(options)) return options.methods;
  std::vector<std::string> names = method_names();
  if (leaves_out_nonnegative(options)) names.erase(std::find(names.begin(), names.end(), kOursNonNegative));
  return names;
}

std::vector<Contestant> contestants(const CompareOptions& options,
                                    const std::vector<CategorySpec>& own_categories,
                                    const std::function<bool()>& should_stop) {
  std::vector<Contestant> all;
  FitOptions own = options.fit;
  own.categories = own_categories;
  const std::vector<std::string>& baselines = value_names(Baseline{});
  for (const std::string& name : names_of(options)) {
    const auto at = std::find(baselines.begin(), baselines.end(), name);
    if (name == kOurs)
      all.push_back(ours(own, options, should_stop));
    else if (name == kOursNonNegative)
      all.push_back(ours_nonnegative(own, options, should_stop));
    else
      all.push_back(baseline(static_cast<Baseline>(at - baselines.begin()), options, should_stop));
  }
  for (const OtherMethod& method : options.others) all.push_back(other(method, options, should_stop));
  number_alike(all);
  return all;
}

}  // namespace milcci
