// A comparison of two models as JSON for programs and as a table for people.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/json_object.hpp"
#include "core/shown_name.hpp"
#include "evaluate/correlation_json.hpp"
#include "milcci/compare.hpp"

namespace milcci {
namespace {

std::string cell(Index position, const std::string& category) {
  return position < 0 ? "none" : fmt::format("{} {}", position + 1, shown_name(category, 24));
}

std::string correlation_text(double value) {
  return std::isnan(value) ? "-" : fmt::format("{:.4f}", value);
}

std::string remark(const ComparedComponent& match) {
  if (match.second < 0) return "";
  std::string text;
  if (match.first_category != match.second_category) text += "  other category";
  if (!match.is_alike()) text += "  not alike";
  return text;
}

}  // namespace

std::string to_json(const ModelComparison& comparison) {
  Json matches = Json::array();
  for (const ComparedComponent& match : comparison.matches) {
    const bool is_found = match.second >= 0;
    matches.push_back({{"first", match.first},
                       {"second", is_found ? Json(match.second) : Json(nullptr)},
                       {"first_category", match.first_category},
                       {"second_category", is_found ? Json(match.second_category) : Json(nullptr)},
                       {"component_correlation", to_json_value(match.component_correlation)},
                       {"trace_correlation", to_json_value(match.trace_correlation)},
                       {"alike", match.is_alike()}});
  }
  const Json json{{"first_r2", to_json_value(comparison.first_r2)},
                  {"second_r2", to_json_value(comparison.second_r2)},
                  {"first_objective", to_json_value(comparison.first_objective)},
                  {"second_objective", to_json_value(comparison.second_objective)},
                  {"same_data", comparison.has_same_data},
                  {"same_trials", comparison.has_same_trials},
                  {"n_channels", comparison.n_channels},
                  {"component_correlation", to_object(comparison.component_correlation)},
                  {"trace_correlation", to_object(comparison.trace_correlation)},
                  {"n_alike", comparison.n_alike},
                  {"n_other_category", comparison.n_other_category},
                  {"matches", std::move(matches)},
                  {"only_second", comparison.only_second}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string to_table(const ModelComparison& comparison) {
  std::string table =
      fmt::format("{:<18}{:.6f} and {:.6f}\n", "R2", comparison.first_r2, comparison.second_r2);
  if (comparison.first_objective && comparison.second_objective)
    table += fmt::format("{:<18}{:.6g} and {:.6g}{}\n", "objective", *comparison.first_objective,
                         *comparison.second_objective,
                         comparison.has_same_data ? "" : "  not comparable: the data are not the same");
  table += fmt::format(
      "{:<18}{} of {} components are alike (correlation of at least 0.9), {} in another category\n",
      "agreement", comparison.n_alike, comparison.matches.size(), comparison.n_other_category);
  if (!comparison.has_same_trials)
    table += fmt::format("{:<18}the models are of different trials, so traces are not compared\n", "traces");

  std::size_t width = std::string("component").size(), other_width = std::string("in the second").size();
  for (const ComparedComponent& match : comparison.matches) {
    width = std::max(width, n_characters(cell(match.first, match.first_category)));
    other_width = std::max(other_width, n_characters(cell(match.second, match.second_category)));
  }
  table += fmt::format("\n{}  {}  {:>10}  {:>10}\n", left_aligned("component", width),
                       left_aligned("in the second", other_width), "component", "trace");
  for (const ComparedComponent& match : comparison.matches)
    table += fmt::format("{}  {}  {:>10}  {:>10}{}\n",
                         left_aligned(cell(match.first, match.first_category), width),
                         left_aligned(cell(match.second, match.second_category), other_width),
                         match.second < 0 ? "-" : correlation_text(match.component_correlation),
                         correlation_text(match.trace_correlation), remark(match));
  if (!comparison.only_second.empty()) {
    std::string list;
    for (const Index j : comparison.only_second) list += fmt::format("{}{}", list.empty() ? "" : ", ", j + 1);
    table += fmt::format("only in the second: {}\n", list);
  }
  return table;
}

}  // namespace milcci
