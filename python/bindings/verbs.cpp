// What the program does: fit, transform, evaluate, check, simulate, read, prepare, compare.
#include <nanobind/eigen/dense.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "arrays.hpp"
#include "bind.hpp"
#include "data/check_trials.hpp"
#include "fields.hpp"
#include "listener.hpp"
#include "milcci/check.hpp"
#include "milcci/compare.hpp"
#include "milcci/evaluate.hpp"
#include "milcci/files.hpp"
#include "milcci/fit.hpp"
#include "milcci/prepare.hpp"
#include "milcci/recipes.hpp"
#include "milcci/simulate.hpp"
#include "prepare/repeat_steps.hpp"
#include "recording.hpp"

namespace milcci::python {
namespace {

FitOptions fit_options(const Specs& categories, const Keywords& keywords) {
  FitOptions options;
  set_fields(options, keywords);
  options.categories = specs_of(categories);
  return options;
}

template <class Options>
Options options_of(const Keywords& keywords) {
  Options options;
  set_fields(options, keywords);
  return options;
}

FitResult run_fit(const Recording& recording, const Specs& categories, const Keywords& keywords,
                  const FitResult* start, const Anything& show) {
  const FitOptions options = fit_options(categories, keywords);
  Listener listener(show);
  std::optional<Start> components;
  if (start) components = start_of(start->model);
  const auto run = [&] {
    const nb::gil_scoped_release release;
    return fit(
        recording.source(), options,
        [&](const Progress& p) {
          return listener(false, [&](const nb::object& tell) {
            tell(p.stage, p.phase, p.step, p.max_steps, p.record.r2);
          });
        },
        components);
  };
  FitResult result = run();
  listener.rethrow();
  return result;
}

using FindingTuple = nb::typed<nb::tuple, nb::str, nb::str, nb::str>;

nb::typed<nb::list, FindingTuple> findings(const Recording& recording, const Specs& categories,
                                           const Keywords& keywords) {
  const FitOptions options = fit_options(categories, keywords);
  std::vector<Finding> found;
  {
    const nb::gil_scoped_release release;
    found = find_before_fit(recording.source(), options);
  }
  nb::typed<nb::list, FindingTuple> list;
  for (const auto& [text, advice, option] : found)
    list.append(nb::make_tuple(nb::cast(text), nb::cast(advice), nb::cast(option)));
  return list;
}

Texts run_check(const Recording& recording, const Specs& categories) {
  const std::vector<CategorySpec> specs = specs_of(categories);
  Check result;
  {
    const nb::gil_scoped_release release;
    result = check(recording.source(), specs);
  }
  return nb::make_tuple(nb::cast(to_json(result)), nb::cast(to_text(result)));
}

using Evaluated = nb::typed<nb::tuple, nb::str, nb::str, nb::typed<nb::list, nb::str>>;

// As `milcci evaluate`: trials other than those of the fit get traces of their own first.
Evaluated run_evaluate(const FitResult& fitted, const Recording& recording,
                       std::optional<Keywords> cosmoothing, int threads) {
  std::optional<CoSmoothingOptions> folds;
  if (cosmoothing) folds = options_of<CoSmoothingOptions>(*cosmoothing);
  Evaluation evaluation;
  std::vector<std::string> warnings;
  {
    const nb::gil_scoped_release release;
    const TrialSource& trials = recording.source();
    std::optional<CoSmoothing> predicted;
    if (folds) {
      FitOptions options = fitted.summary.options;
      options.threads = threads;
      predicted = cosmooth(fitted.model, options, trials, *folds);
      warnings = predicted->warnings;
    }
    if (fingerprint(trials, threads) == fitted.summary.data_fingerprint) {
      evaluation = evaluate(fitted, trials);
    } else {
      const FitResult traces = transform(fitted, trials, {.threads = threads});
      warnings = traces.summary.warnings;
      evaluation = evaluate(traces, trials);
      evaluation.is_transformed = true;
    }
    evaluation.cosmoothing = std::move(predicted);
  }
  return nb::make_tuple(nb::cast(to_json(evaluation)), nb::cast(to_table(evaluation)), nb::cast(warnings));
}

Texts run_compare_models(const FitResult& first, const FitResult& second) {
  const ModelComparison comparison = compare_models(first, second);
  return nb::make_tuple(nb::cast(to_json(comparison)), nb::cast(to_table(comparison)));
}

Recording run_simulate(const std::string& preset_name, const std::vector<std::string>& categories,
                       const Keywords& keywords) {
  SimulateOptions options = preset(preset_name);
  set_fields(options, keywords);
  if (!categories.empty()) options.categories.clear();
  for (const std::string& text : categories) options.categories.push_back(parse_simulated_category(text));
  const nb::gil_scoped_release release;
  return Recording(simulate(options));
}

Recording run_read(const std::string& path, const std::string& recipe_name, const Keywords& keywords,
                   int threads) {
  Recipe recipe = Recipe::none;
  set_value("recipe", nb::cast(recipe_name), recipe);
  ReadOptions options = options_of<ReadOptions>(keywords);
  options.threads = threads;
  const nb::gil_scoped_release release;
  ReadResult read = read_with(recipe, path, options);
  return Recording(std::move(read.trials), std::move(read.notes));
}

// The recording after the steps, and what seems odd of it.
nb::typed<nb::tuple, Recording, nb::typed<nb::list, nb::str>> run_prepare(const Recording& recording,
                                                                          const Keywords& keywords) {
  const PrepareOptions options = options_of<PrepareOptions>(keywords);
  std::optional<Recording> prepared;
  std::vector<std::string> warnings;
  {
    const nb::gil_scoped_release release;
    Trials trials = recording.copy();
    std::vector<std::string> notes = recording.notes;
    for (std::string& note : prepare(trials, options)) notes.push_back(std::move(note));
    warnings = check_trials(trials);
    prepared.emplace(std::move(trials), std::move(notes));
  }
  return nb::make_tuple(nb::cast(std::move(*prepared)), nb::cast(warnings));
}

// As `milcci transform` and `evaluate` do to what they read: the steps that were done to the trials of the
// fit. Trials with nothing to be done stay where they are.
nb::typed<nb::tuple, Recording, nb::typed<nb::list, nb::str>> run_prepare_as_fitted(
    const FitResult& fitted, const Recording& recording) {
  std::optional<Recording> prepared;
  std::vector<std::string> notes;
  {
    const nb::gil_scoped_release release;
    const FitSummary& summary = fitted.summary;
    const std::string& fingerprint =
        summary.reason == StopReason::transformed ? summary.fitted_fingerprint : summary.data_fingerprint;
    const std::vector<std::string>& history = fitted.model.history;
    const bool is_to_be_done = has_steps(history) && !has_steps(recording.source().history());
    Trials trials = is_to_be_done ? recording.copy() : recording.without_values();
    notes = prepare_as_fitted(trials, history, fingerprint);
    if (is_to_be_done)
      prepared.emplace(std::move(trials), recording.notes);
    else
      prepared.emplace(recording);
  }
  return nb::make_tuple(nb::cast(std::move(*prepared)), nb::cast(notes));
}

// As `run_prepare_as_fitted`, for trials of which only the labels matter.
nb::typed<nb::tuple, Recording, nb::typed<nb::list, nb::str>> run_prepare_labels_as_fitted(
    const FitResult& fitted, const Recording& recording) {
  Trials trials = recording.copy();
  const std::vector<std::string> notes = prepare_labels_as_fitted(trials, fitted.model);
  return nb::make_tuple(nb::cast(Recording(std::move(trials), recording.notes)), nb::cast(notes));
}

Keywords parsed_category(const std::string& text) {
  const CategorySpec spec = parse_category(text);
  Keywords fields;
  visit_fields(spec, [&](const Field& field, const auto& member) { fields[field.name] = to_python(member); });
  fields["graph"] = nb::cast(spec.graph);
  return fields;
}

}  // namespace

void bind_verbs(nb::module_& module) {
  module.def("fit_fields", &describe_fields<FitOptions>, "What can be said of a fit: a dict per option.");
  module.def("category_fields", &describe_fields<CategorySpec>);
  module.def("simulate_fields", &describe_fields<SimulateOptions>);
  module.def("read_fields", &describe_fields<ReadOptions>);
  module.def("prepare_fields", &describe_fields<PrepareOptions>);
  module.def("cosmooth_fields", &describe_fields<CoSmoothingOptions>);
  module.def("parse_category", &parsed_category, nb::arg("text"),
             "The fields of a category as the command line writes it: NAME=COUNT[:KIND[,KEY=VALUE...]].");

  module.def("fit", &run_fit, nb::arg("recording"), nb::arg("categories"), nb::arg("options"),
             nb::arg("start").none(), nb::arg("show").none());
  module.def("findings", &findings, nb::arg("recording"), nb::arg("categories"), nb::arg("options"),
             "What may go wrong with this fit: (text, advice, option) each.");
  module.def(
      "transform",
      [](const FitResult& fitted, const Recording& recording, int threads) {
        return transform(fitted, recording.source(), {.threads = threads});
      },
      nb::arg("fitted"), nb::arg("recording"), nb::arg("threads"), nb::call_guard<nb::gil_scoped_release>());
  module.def("evaluate", &run_evaluate, nb::arg("fitted"), nb::arg("recording"),
             nb::arg("cosmoothing").none(), nb::arg("threads"), "JSON, table and warnings.");
  module.def("compare_models", &run_compare_models, nb::arg("first"), nb::arg("second"), "JSON and table.");
  module.def("check", &run_check, nb::arg("recording"), nb::arg("categories"), "JSON and text.");
  module.def("simulate", &run_simulate, nb::arg("preset"), nb::arg("categories"), nb::arg("options"));
  module.def("read", &run_read, nb::arg("path"), nb::arg("recipe"), nb::arg("options"), nb::arg("threads"));
  module.def("prepare", &run_prepare, nb::arg("recording"), nb::arg("options"),
             "The recording after the steps, and warnings.");
  module.def("prepare_as_fitted", &run_prepare_as_fitted, nb::arg("fitted"), nb::arg("recording"),
             "The recording after the steps of the fit's, and notes; the same memory if there are none.");
  module.def("prepare_labels_as_fitted", &run_prepare_labels_as_fitted, nb::arg("fitted"),
             nb::arg("recording"), "The same for labels alone; values stay as they are.");
}

}  // namespace milcci::python
