// A comparison of methods as JSON for programs and as a table for people.
#include <fmt/format.h>

#include <cmath>

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

Json to_object(const MethodScores& scores, WithComponents with_components) {
  Json object{{"name", scores.name},
              {"failed", text_or_null(scores.failed)},
              {"stopped", text_or_null(scores.stopped)},
              {"message", text_or_null(scores.message)},
              {"iterations", scores.iterations},
              {"seconds", to_json_value(scores.seconds)},
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
              {"notes", scores.notes}};
  if (with_components == WithComponents::no) return object;
  object["components"] = Json::array();
  for (const CategoryComponents& category : scores.components)
    object["components"].push_back(to_object(category));
  return object;
}

std::string cell(const std::optional<double>& value, const char* format) {
  if (!value || std::isnan(*value)) return "-";
  return fmt::format(fmt::runtime(format), *value);
}

std::string mean_cell(const std::optional<CorrelationSummary>& summary) {
  return cell(summary ? std::optional(summary->mean) : std::nullopt, "{:.4f}");
}

}  // namespace

std::string to_json(const MethodComparison& comparison, WithComponents with_components) {
  Json methods = Json::array();
  for (const MethodScores& scores : comparison.methods) methods.push_back(to_object(scores, with_components));
  const Json json{{"n_trials", comparison.n_trials},
                  {"n_held_out", comparison.n_held_out},
                  {"n_channels", comparison.n_channels},
                  {"n_components", comparison.n_components},
                  {"n_observed", comparison.n_observed},
                  {"folds", comparison.folds},
                  {"seed", comparison.seed},
                  {"methods", std::move(methods)}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string to_table(const MethodComparison& comparison) {
  bool has_truth = false;
  for (const MethodScores& scores : comparison.methods)
    has_truth = has_truth || scores.component_correlation.has_value();
  std::vector<std::vector<std::string>> rows = {
      {"method", "R2", "co-smoothing", "BIC", "free numbers", "zeros", "seconds"}};
  if (has_truth) rows.front().insert(rows.front().end(), {"components", "traces"});
  rows.front().push_back("ended");
  std::string notes;
  for (const MethodScores& scores : comparison.methods) {
    const bool has_failed = !scores.failed.empty();
    rows.push_back({scores.name, cell(scores.r2, "{:.4f}"), cell(scores.cosmoothing_r2, "{:.4f}"),
                    cell(scores.bic, "{:.5g}"), cell(scores.degrees_of_freedom, "{:.0f}"),
                    scores.sparsity ? fmt::format("{:.0f} %", 100 * *scores.sparsity) : std::string("-"),
                    has_failed ? std::string("-") : fmt::format("{:.2f}", scores.seconds)});
    if (has_truth)
      rows.back().insert(rows.back().end(),
                         {mean_cell(scores.component_correlation), mean_cell(scores.trace_correlation)});
    rows.back().push_back(has_failed ? "failed" : scores.stopped);
    if (has_failed) notes += fmt::format("{} failed: {}\n", scores.name, scores.failed);
    for (const std::string& note : scores.notes) notes += fmt::format("{}: {}\n", scores.name, note);
  }
  std::string head = fmt::format("{} components, {} trials of {} channels", comparison.n_components,
                                 comparison.n_trials, comparison.n_channels);
  if (comparison.n_held_out > 0)
    head += fmt::format("; co-smoothing in {} trials held out, {} folds", comparison.n_held_out,
                        comparison.folds);
  return head + "\n\n" + aligned(rows, 1, "") + (notes.empty() ? "" : "\n" + notes);
}

}  // namespace milcci
