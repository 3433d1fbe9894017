// milcci compare: our model beside other methods, on the same trials.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <set>

#include "category_flags.hpp"
#include "console.hpp"
#include "files/atomic_file.hpp"
#include "help.hpp"
#include "interrupt.hpp"
#include "milcci/compare_methods.hpp"
#include "milcci/error.hpp"
#include "option_flags.hpp"
#include "reading.hpp"
#include "streams.hpp"
#include "verb.hpp"

namespace milcci::cli {
namespace {

struct CompareRequest {
  std::string trials;
  CategoryFlags categories;
  CompareOptions options;
  ReadOptions reading;
  OutputOptions output;
  CommonOptions common;
};

void write_results(const OutputOptions& output, const std::string& json) {
  AtomicFile file(output.path, output.overwrite());
  file.write(json);
  file.commit();
  note_written(output.path);
}

// Whether any method succeeded in any repeat.
bool has_scores(const MethodComparison& found) {
  for (const ComparisonRun& run : found.runs)
    for (const MethodScores& scores : run.methods)
      if (scores.failed.empty()) return true;
  return false;
}

ExitCode compare_file(CompareRequest& request) {
  const bool has_output = !request.output.path.empty();
  if (has_output)
    check_output(request.output, {request.trials, request.reading.labels, request.common.config});
  request.options.fit.categories = requested_categories(request.categories);
  const Console console(request.common.quiet);
  request.reading.threads = request.options.fit.threads;
  const Trials trials = read_recording(request.trials, request.reading, console).trials;
  catch_interrupts();
  const MethodComparison found =
      compare_methods(trials, request.options, [&](const MethodProgress& progress) {
        const int n_repeats = request.options.repeats;
        if (progress.is_new)
          console.say(
              "  " + progress.method +
              (n_repeats > 1 ? fmt::format(", repeat {} of {}", progress.repeat + 1, n_repeats) : ""));
        return interrupting_signal() != 0 ? Continue::stop : Continue::yes;
      });
  if (has_output) {
    write_results(request.output, to_json(found, WithComponents::yes) + "\n");
    console.say("written to " + request.output.path);
  }
  if (request.common.json)
    print_result(to_json(found) + "\n");
  else
    print_text(to_table(found));
  if (found.is_interrupted) return static_cast<ExitCode>(128 + interrupting_signal());
  return has_scores(found) ? kDone : kNotTrusted;
}

}  // namespace

Verb add_compare(CLI::App& program) {
  auto request = std::make_shared<CompareRequest>();
  CLI::App& parser = *program.add_subcommand(
      "compare",
      "Fits our model and other methods with as many components to the same trials, and scores them all: "
      "SVD, PCA, probabilistic PCA, factor analysis, NMF, PARAFAC, Tucker, sliceTCA and SiBBlInGS.");
  add_input(parser, "TRIALS", request->trials, kRecordingHelp);
  add_output(parser, request->output, "results with all components (JSON)")->required(false);
  add_categories(parser, request->categories);

  CompareOptions& options = request->options;
  const std::string group = "Methods";
  visit_fields(options, [&](const Field& field, auto& member) {
    add_field(parser, field, member)->group(std::string(field.name) == "held_out" ? "Co-smoothing" : group);
  });
  visit_fields(options.baselines, [&](const Field& field, auto& member) {
    if (std::string(field.name) != "n_components") add_field(parser, field, member)->group(group);
  });
  visit_fields(options.cosmoothing, [&](const Field& field, auto& member) {
    if (std::string(field.name) == "folds") add_field(parser, field, member)->group("Co-smoothing");
  });
  const std::set<std::string> of_ours = {"nonnegative", "penalties", "effort", "threads"};
  visit_fields(options.fit, [&](const Field& field, auto& member) {
    if (of_ours.count(field.name) > 0) add_field(parser, field, member)->group("Our model, as in fit");
  });
  add_reading(parser, request->reading);
  add_common(parser, request->common);
  set_examples(parser,
               {"milcci compare trials.h5 --category difficulty=2:ordinal --category choice=2 --methods "
                "milcci,svd,fa,nmf",
                "milcci compare trials.h5 --category choice=3 --fixed 1 --time-limit 5 --restarts 1 "
                "-o results.json --json"});
  return {&parser, [request] { return compare_file(*request); }};
}

}  // namespace milcci::cli
