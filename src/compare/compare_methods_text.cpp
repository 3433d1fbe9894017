// A comparison of methods as JSON for programs and as a table for people.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "compare/same_row.hpp"
#include "core/json_object.hpp"
#include "describe/aligned.hpp"
#include "evaluate/correlation_json.hpp"
#include "milcci/compare_methods.hpp"

namespace milcci {
namespace {

Json text_or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

Json summary_or_null(const std::optional<CorrelationSummary>& summary) {
  return summary ? to_object(*summary) : Json(nullptr);
}

Json to_object(const CategoryComponents& category) {
  Json variants = Json::array();
  for (const Matrix& variant : category.variants) variants.push_back(to_json_value(variant));
  return {{"name", category.name}, {"options", category.options}, {"variants", std::move(variants)}};
}

Json to_object(const DistanceSummary& summary) {
  return {{"n_pairs", summary.n_pairs},
          {"mean", summary.n_pairs > 0 ? to_json_value(summary.mean) : Json(nullptr)},
          {"quantiles", summary.quantiles}};
}

Json to_object(const std::vector<ScoreSpread>& spreads) {
  Json object = Json::object();
  for (const ScoreSpread& spread : spreads)
    object[spread.score] = {{"n", spread.n},
                            {"mean", to_json_value(spread.mean)},
                            {"sd", to_json_value(spread.sd)},
                            {"min", to_json_value(spread.min)},
                            {"max", to_json_value(spread.max)},
                            {"rank_mean", to_json_value(spread.rank_mean)},
                            {"rank_min", to_json_value(spread.rank_min)},
                            {"rank_max", to_json_value(spread.rank_max)}};
  return object;
}

Json to_object(const MethodScores& scores, WithComponents with_components) {
  Json object{{"name", scores.name},
              {"failed", text_or_null(scores.failed)},
              {"n_components", scores.n_components},
              {"added_noise", scores.added_noise},
              {"tuned", text_or_null(scores.tuned)},
              {"stopped", text_or_null(scores.stopped)},
              {"message", text_or_null(scores.message)},
              {"iterations", scores.iterations},
              {"seconds", scores.failed.empty() ? to_json_value(scores.seconds) : Json(nullptr)},
              {"peak_memory", to_json_value(scores.peak_memory)},
              {"r2", to_json_value(scores.r2)},
              {"relative_error", to_json_value(scores.relative_error)},
              {"squared_error", to_json_value(scores.squared_error)},
              {"cosmoothing_r2", to_json_value(scores.cosmoothing_r2)},
              {"bits_per_spike", to_json_value(scores.bits_per_spike)},
              {"cosmoothing_note", text_or_null(scores.cosmoothing_note)},
              {"log_likelihood", to_json_value(scores.log_likelihood)},
              {"degrees_of_freedom", to_json_value(scores.degrees_of_freedom)},
              {"degrees_of_freedom_note", text_or_null(scores.degrees_of_freedom_note)},
              {"aic", to_json_value(scores.aic)},
              {"bic", to_json_value(scores.bic)},
              {"hqc", to_json_value(scores.hqc)},
              {"marginal_log_likelihood", to_json_value(scores.marginal_log_likelihood)},
              {"sparsity", to_json_value(scores.sparsity)},
              {"component_correlation", summary_or_null(scores.component_correlation)},
              {"trace_correlation", summary_or_null(scores.trace_correlation)},
              {"distances",
               {{"same_component", to_object(scores.distances.same)},
                {"different_within", to_object(scores.distances.different_within)},
                {"different_across", to_object(scores.distances.different_across)}}},
              {"notes", scores.notes}};
  if (with_components == WithComponents::no) return object;
  object["trial_errors"] = to_json_value(scores.trial_errors);
  object["components"] = Json::array();
  for (const CategoryComponents& category : scores.components)
    object["components"].push_back(to_object(category));
  return object;
}

// Scores that are about one.
constexpr const char* kScore = "{:.4f}";

// A score that is far from that is short: an R2 of -1e114 would have a hundred digits. What is zero as
// written has no sign.
std::string number(double value, const char* format) {
  if (std::isnan(value)) return "-";
  constexpr double kLong = 1e4;
  if (std::string_view(format) == kScore && std::abs(value) > kLong) return fmt::format("{:.3g}", value);
  const std::string text = fmt::format(fmt::runtime(format), value);
  const bool is_zero = text.find_first_of("123456789") == std::string::npos;
  return is_zero && text.front() == '-' ? text.substr(1) : text;
}

std::string counted(std::size_t n, const std::string& what) {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

const ScoreSpread* find(const std::vector<ScoreSpread>& spreads, const std::string& score) {
  for (const ScoreSpread& spread : spreads)
    if (spread.score == score) return &spread;
  return nullptr;
}

// The mean over the repeats and, with two or more, its standard deviation.
std::string cell(const std::vector<ScoreSpread>& spreads, const std::string& score, const char* format,
                 double unit = 1) {
  const ScoreSpread* spread = find(spreads, score);
  if (!spread) return "-";
  const std::string mean = number(spread->mean / unit, format);
  return spread->sd ? mean + " +- " + number(*spread->sd / unit, format) : mean;
}

std::string rank_cell(const std::vector<ScoreSpread>& spreads) {
  const ScoreSpread* spread = find(spreads, "cosmoothing_r2");
  if (!spread || !spread->rank_mean) return "-";
  return fmt::format("{:.1f} ({:g} to {:g})", *spread->rank_mean, *spread->rank_min, *spread->rank_max);
}

std::string name_of(const MethodScores& scores, Index n_components) {
  std::string name = scores.name;
  if (scores.n_asked != n_components) name += fmt::format(", {} of {}", scores.n_asked, n_components);
  if (scores.added_noise > 0) name += fmt::format(", noise {:g}", scores.added_noise);
  return name;
}

// How the first repeat ended, and what was tuned in any of them.
std::string ending(const MethodComparison& comparison, const MethodScores& scores) {
  if (!scores.failed.empty()) return "failed";
  std::vector<std::string> tuned;
  for (const ComparisonRun& run : comparison.runs)
    for (const MethodScores& row : run.methods)
      if (is_same_row(row, scores) && !row.tuned.empty() &&
          std::find(tuned.begin(), tuned.end(), row.tuned) == tuned.end())
        tuned.push_back(row.tuned);
  return tuned.empty() ? scores.stopped : fmt::format("{}, {}", scores.stopped, fmt::join(tuned, " or "));
}

// What went wrong in any repeat, and what was done to the data in the first.
std::string notes_of(const MethodComparison& comparison) {
  std::string notes;
  for (const std::string& note : comparison.runs.front().notes) notes += note + "\n";
  for (std::size_t i = 0; i < comparison.runs.size(); ++i)
    for (const MethodScores& scores : comparison.runs[i].methods) {
      const std::string name = name_of(scores, comparison.n_components);
      const std::string repeat = comparison.runs.size() > 1 ? fmt::format(" in repeat {}", i + 1) : "";
      if (!scores.failed.empty()) notes += fmt::format("{} failed{}: {}\n", name, repeat, scores.failed);
      if (!scores.cosmoothing_note.empty() && comparison.n_held_out > 0 && i == 0)
        notes += fmt::format("{}: no co-smoothing: {}\n", name, scores.cosmoothing_note);
      if (i > 0) continue;
      for (const std::string& note : scores.notes) notes += fmt::format("{}: {}\n", name, note);
    }
  return notes;
}

std::string head_of(const MethodComparison& comparison) {
  const auto count = [](Index n) { return static_cast<std::size_t>(n); };
  std::string head =
      fmt::format("{}, {} of {}", counted(count(comparison.n_components), "component"),
                  counted(comparison.n_trials, "trial"), counted(count(comparison.n_channels), "channel"));
  if (comparison.n_held_out > 0)
    head += fmt::format("; co-smoothing in {} held out, {}", counted(comparison.n_held_out, "trial"),
                        counted(count(comparison.folds), "fold"));
  if (comparison.runs.size() > 1)
    head +=
        fmt::format("; mean and standard deviation of {} repeats, rank by co-smoothing (least to largest)",
                    comparison.runs.size());
  if (comparison.is_interrupted) head += "; stopped before all was done";
  return head + "\n\n";
}

}  // namespace

std::string to_json(const MethodComparison& comparison, WithComponents with_components) {
  const std::vector<std::vector<ScoreSpread>> spreads = comparison.spreads();
  Json methods = Json::array(), runs = Json::array();
  for (const ComparisonRun& run : comparison.runs) {
    Json of_run = Json::array();
    for (const MethodScores& scores : run.methods) of_run.push_back(to_object(scores, WithComponents::no));
    runs.push_back({{"seed", run.seed},
                    {"held_out", {{"trials", run.held_out_trials}, {"channel_folds", run.channel_folds}}},
                    {"notes", run.notes},
                    {"methods", std::move(of_run)}});
  }
  for (std::size_t i = 0; i < comparison.methods().size(); ++i) {
    methods.push_back(to_object(comparison.methods()[i], with_components));
    methods.back()["spread"] = to_object(spreads[i]);
  }
  const Json json{{"format", "milcci comparison"},
                  {"format_version", 1},
                  {"n_trials", comparison.n_trials},
                  {"n_held_out", comparison.n_held_out},
                  {"n_channels", comparison.n_channels},
                  {"n_components", comparison.n_components},
                  {"n_observed", comparison.n_observed},
                  {"folds", comparison.folds},
                  {"seed", comparison.seed},
                  {"repeats", comparison.runs.size()},
                  {"interrupted", comparison.is_interrupted},
                  {"methods", std::move(methods)},
                  {"runs", std::move(runs)}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string to_table(const MethodComparison& comparison) {
  bool has_truth = false;
  for (const MethodScores& scores : comparison.methods())
    has_truth = has_truth || scores.component_correlation.has_value();
  const bool has_repeats = comparison.runs.size() > 1;
  std::vector<std::vector<std::string>> rows = {{"method", "R2", "co-smoothing"}};
  const auto add = [&](bool is_wanted, const std::vector<std::string>& cells) {
    if (is_wanted) rows.back().insert(rows.back().end(), cells.begin(), cells.end());
  };
  add(has_repeats, {"rank"});
  add(true, {"BIC", "free numbers", "zeros", "seconds", "MB"});
  add(has_truth, {"components", "traces"});
  add(true, {"ended"});
  const std::vector<std::vector<ScoreSpread>> spreads = comparison.spreads();
  for (std::size_t i = 0; i < comparison.methods().size(); ++i) {
    const MethodScores& scores = comparison.methods()[i];
    const std::vector<ScoreSpread>& spread = spreads[i];
    rows.push_back({name_of(scores, comparison.n_components), cell(spread, "r2", kScore),
                    cell(spread, "cosmoothing_r2", kScore)});
    add(has_repeats, {rank_cell(spread)});
    add(true, {cell(spread, "bic", "{:.5g}"), cell(spread, "degrees_of_freedom", "{:.0f}"),
               cell(spread, "sparsity", "{:.0f} %", 0.01), cell(spread, "seconds", "{:.2f}"),
               cell(spread, "peak_memory", "{:.0f}", 1e6)});
    add(has_truth,
        {cell(spread, "component_correlation", kScore), cell(spread, "trace_correlation", kScore)});
    add(true, {ending(comparison, scores)});
  }
  const std::string notes = notes_of(comparison);
  return head_of(comparison) + aligned(rows, 1, "") + (notes.empty() ? "" : "\n" + notes);
}

}  // namespace milcci
