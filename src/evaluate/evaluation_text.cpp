// An evaluation as JSON for programs and as a table for people.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/json_object.hpp"
#include "core/objective_text.hpp"
#include "core/shown_name.hpp"
#include "evaluate/correlation_json.hpp"
#include "milcci/evaluate.hpp"

namespace milcci {
namespace {

Json to_object(const MatchedComponent& match) {
  const bool is_found = match.estimate >= 0;
  Json per_option = nullptr;
  for (const auto& [option, estimate] : match.per_option) per_option[option] = estimate;
  return {{"truth", match.truth},
          {"estimate", is_found ? Json(match.estimate) : Json(nullptr)},
          {"true_category", match.true_category},
          {"estimated_category", is_found ? Json(match.estimated_category) : Json(nullptr)},
          {"component_correlation", to_json_value(match.component_correlation)},
          {"trace_correlation", to_json_value(match.trace_correlation)},
          {"per_option", per_option}};
}

Json to_object(const CoSmoothing& cosmoothing) {
  Json channels = Json::array();
  for (const auto& [name, fold, r2, bits] : cosmoothing.channels) {
    channels.push_back({{"name", name}, {"fold", fold}, {"r2", to_json_value(r2)}});
    if (cosmoothing.bits_per_spike) channels.back()["bits_per_spike"] = to_json_value(bits);
  }
  return {{"r2", to_json_value(cosmoothing.r2)},
          {"bits_per_spike", to_json_value(cosmoothing.bits_per_spike)},
          {"folds", cosmoothing.folds},
          {"seed", cosmoothing.seed},
          {"channels", std::move(channels)}};
}

Json to_object(const Score& score) {
  Json object{{"name", score.name.empty() ? Json(nullptr) : Json(score.name)}};
  if (!score.category.empty()) object["category"] = score.category;
  object["n_trials"] = score.n_trials;
  object["squared_error"] = to_json_value(score.squared_error);
  object["r2"] = to_json_value(score.r2);
  object["relative_error"] = to_json_value(score.relative_error);
  return object;
}

Json to_object(const CategoryScore& score) {
  Json object = to_object(static_cast<const Score&>(score));
  object["r2_without"] = to_json_value(score.r2_without);
  return object;
}

template <class Scores>
Json to_array(const Scores& scores) {
  Json array = Json::array();
  for (const auto& score : scores) array.push_back(to_object(score));
  return array;
}

// Nothing is to be said of what never changes.
std::string r2_text(double r2, int digits) {
  return std::isnan(r2) ? "-" : fmt::format("{:.{}f}", r2, digits);
}

// The few with the lowest R2, as "name (0.912), ...".
std::string worst_of(const std::vector<Score>& scores) {
  constexpr std::size_t kShown = 3;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < scores.size(); ++i)
    if (!std::isnan(scores[i].r2)) order.push_back(i);
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return scores[i].r2; });
  order.resize(std::min(order.size(), kShown));
  std::string text;
  for (const std::size_t i : order) {
    const Score& score = scores[i];
    const std::string name = score.name.empty() ? fmt::format("{}", i + 1) : shown_name(score.name);
    text += fmt::format("{}{}{} ({:.3f})", text.empty() ? "" : ", ",
                        score.category.empty() ? "" : shown_name(score.category) + "=", name, score.r2);
  }
  return text.empty() ? "none" : text;
}

std::string parts_lines(const Evaluation& evaluation) {
  if (evaluation.trials.empty()) return "";
  std::string lines = fmt::format("{:<18}{}\n", "worst trials", worst_of(evaluation.trials)) +
                      fmt::format("{:<18}{}\n", "worst channels", worst_of(evaluation.channels)) +
                      fmt::format("{:<18}{}\n", "worst labels", worst_of(evaluation.labels));
  for (const CategoryScore& score : evaluation.categories)
    lines += fmt::format("{:<18}R2 {} by its components alone, {} without them\n", score.name,
                         r2_text(score.r2, 4), r2_text(score.r2_without, 4));
  return lines;
}

std::string list_of_dead(const std::vector<Index>& components) {
  if (components.empty()) return "none";
  std::string list;
  for (const Index component : components)
    list += fmt::format("{}{}", list.empty() ? "" : ", ", component + 1);
  return list;
}

// What the columns do not show: that it is another category's, or not the same one under every option.
std::string remark(const MatchedComponent& match) {
  const auto is_other = [&](const MatchedOption& o) { return o.estimate != match.estimate; };
  std::string text;
  if (match.estimate >= 0 && match.estimated_category != match.true_category) text += "  other category";
  if (std::any_of(match.per_option.begin(), match.per_option.end(), is_other)) text += "  differs by option";
  return text;
}

std::string cosmoothing_lines(const CoSmoothing& cosmoothing) {
  constexpr std::size_t kShown = 3;
  std::vector<PredictedChannel> worst;
  for (const PredictedChannel& channel : cosmoothing.channels)
    if (!std::isnan(channel.r2)) worst.push_back(channel);
  std::stable_sort(worst.begin(), worst.end(), [](const auto& a, const auto& b) { return a.r2 < b.r2; });
  worst.resize(std::min(worst.size(), kShown));
  std::string names;
  for (const PredictedChannel& channel : worst)
    names += fmt::format("{}{} ({:.3f})", names.empty() ? "" : ", ", shown_name(channel.name), channel.r2);
  std::string bits;
  if (cosmoothing.bits_per_spike)
    bits = fmt::format("{:<18}{:>8.4f}  the same predictions as rates of Poisson counts\n", "bits per spike",
                       *cosmoothing.bits_per_spike);
  return fmt::format("{:<18}{:>8}  R2 of channels predicted from other channels, {} folds, seed {}\n",
                     "co-smoothing", r2_text(cosmoothing.r2, 6), cosmoothing.folds, cosmoothing.seed) +
         bits + fmt::format("{:<18}{}\n", "worst predicted", names.empty() ? "none" : names);
}

std::vector<std::string> warnings_of(const Evaluation& evaluation) {
  constexpr double kFarBelow = 0.5;
  std::vector<std::string> warnings;
  if (evaluation.cosmoothing && evaluation.r2 > 0 && evaluation.cosmoothing->r2 < kFarBelow * evaluation.r2)
    warnings.emplace_back(
        "co-smoothing is far below R2: components describe channels one by one, or their noise");
  return warnings;
}

std::string matches_table(const std::vector<MatchedComponent>& matches) {
  const auto found_as = [](const MatchedComponent& match) {
    return match.estimate < 0 ? std::string("not found")
                              : fmt::format("{} {}", match.estimate + 1, match.estimated_category);
  };
  std::size_t true_width = std::string("true component").size(), found_width = std::string("found as").size();
  for (const MatchedComponent& match : matches) {
    true_width = std::max(true_width, fmt::formatted_size("{} {}", match.truth + 1, match.true_category));
    found_width = std::max(found_width, found_as(match).size());
  }
  std::string table = fmt::format("{:<{}}  {:<{}}  {:>10}  {:>10}\n", "true component", true_width,
                                  "found as", found_width, "component", "trace");
  for (const MatchedComponent& match : matches) {
    table +=
        fmt::format("{:<{}}  {:<{}}  {:>10.4f}  {:>10.4f}{}\n",
                    fmt::format("{} {}", match.truth + 1, match.true_category), true_width, found_as(match),
                    found_width, match.component_correlation, match.trace_correlation, remark(match));
  }
  return table;
}

}  // namespace

std::string to_json(const Evaluation& evaluation) {
  Json json{{"r2", to_json_value(evaluation.r2)},
            {"relative_error", to_json_value(evaluation.relative_error)},
            {"squared_error", to_json_value(evaluation.squared_error)},
            {"objective", evaluation.objective ? objective_to_json(*evaluation.objective) : Json(nullptr)}};
  const auto& truth = evaluation.truth;
  // Keys that need a truth are there without one too, as null: programs need not ask twice.
  json["component_correlation"] = truth ? to_object(truth->component_correlation) : Json(nullptr);
  json["trace_correlation"] = truth ? to_object(truth->trace_correlation) : Json(nullptr);
  const auto of_transitions = [](const std::optional<CorrelationSummary>& summary) {
    return summary ? to_object(*summary) : Json(nullptr);
  };
  json["transition_correlation"] = of_transitions(truth ? truth->transition_correlation : std::nullopt);
  json["transition_change_correlation"] =
      of_transitions(truth ? truth->transition_change_correlation : std::nullopt);
  json["same_category"] = truth ? Json(truth->same_category) : Json(nullptr);
  json["sparsity"] = to_json_value(evaluation.sparsity);
  json["dead_components"] = evaluation.dead_components;
  json["matches"] = nullptr;
  if (truth) {
    json["matches"] = Json::array();
    for (const MatchedComponent& match : truth->matches) json["matches"].push_back(to_object(match));
  }
  json["transformed"] = evaluation.is_transformed;
  json["categories"] = to_array(evaluation.categories);
  json["labels"] = to_array(evaluation.labels);
  json["channels"] = to_array(evaluation.channels);
  json["trials"] = to_array(evaluation.trials);
  json["warnings"] = warnings_of(evaluation);
  json["cosmoothing"] = evaluation.cosmoothing ? to_object(*evaluation.cosmoothing) : Json(nullptr);
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string to_table(const Evaluation& evaluation) {
  std::string table;
  if (evaluation.is_transformed)
    table += fmt::format("{:<18}{:>8}  the model was not fitted to them; traces as by transform\n",
                         "new trials", "yes");
  table +=
      fmt::format("{:<18}{:>8}  of the variance of the observed entries\n", "R2", r2_text(evaluation.r2, 6));
  table += fmt::format("{:<18}{:>8.2g}  squared error over squared data\n", "relative error",
                       evaluation.relative_error);
  if (evaluation.objective)
    table += fmt::format("{:<18}{}\n", "objective", objective_to_text(*evaluation.objective));
  table += parts_lines(evaluation);
  if (evaluation.cosmoothing) table += cosmoothing_lines(*evaluation.cosmoothing);
  for (const std::string& warning : warnings_of(evaluation))
    table += fmt::format("{:<18}{}\n", "warning", warning);
  table += fmt::format("{:<18}{:>7.1f}%  of the memberships\n", "exactly zero", 100.0 * evaluation.sparsity);
  table += fmt::format("{:<18}{:>8}\n", "dead components", list_of_dead(evaluation.dead_components));
  if (!evaluation.truth) return table;

  const TruthComparison& truth = *evaluation.truth;
  table += fmt::format("{:<18}{:>8}  {}\n\n", "same category", truth.same_category ? "yes" : "no",
                       truth.same_category ? "every true component was found in its own"
                                           : "not every true component was found in its own");
  table += fmt::format("{:<18}{:>8}{:>10}{:>10}\n", "correlation", "mean", "5 %", "min");
  const auto line = [&](const char* name, const CorrelationSummary& s, const char* per) {
    table += fmt::format("{:<18}{:>8.4f}{:>10.4f}{:>10.4f}  {}\n", name, s.mean, s.p05, s.min, per);
  };
  line("components", truth.component_correlation, "one per component and option");
  line("traces", truth.trace_correlation, "one per component and trial");
  if (truth.transition_correlation) line("transitions", *truth.transition_correlation, "one per trial, W");
  if (truth.transition_change_correlation)
    line("", *truth.transition_change_correlation, "less the identity, W - I");
  return table + "\n" + matches_table(truth.matches);
}

}  // namespace milcci
