// A check as one JSON object for programs.
#include <nlohmann/json.hpp>

#include "core/json_object.hpp"
#include "milcci/check.hpp"
#include "milcci/options.hpp"

namespace milcci {
namespace {

const char* name_of(LabelUse use) {
  constexpr const char* names[] = {"category", "per_trial", "constant", "incomplete"};
  return names[static_cast<std::size_t>(use)];
}

const char* name_of(Relation relation) {
  constexpr const char* names[] = {"crossed", "associated", "identical", "first_in_second",
                                   "second_in_first"};
  return names[static_cast<std::size_t>(relation)];
}

Json to_object(const TimeCheck& time) {
  return {{"min_length", time.min_length}, {"max_length", time.max_length}, {"n_samples", time.n_samples},
          {"has_times", time.has_times},   {"first", time.first},           {"last", time.last},
          {"min_step", time.min_step},     {"max_step", time.max_step}};
}

Json to_object(const ValueCheck& values) {
  return {{"minimum", values.minimum},
          {"maximum", values.maximum},
          {"zero_share", values.zero_share},
          {"missing_share", values.missing_share},
          {"are_counts", values.are_counts},
          {"constant_in_trials", values.constant_in_trials},
          {"constant", values.constant},
          {"never_observed", values.never_observed},
          {"duplicates", values.duplicates},
          {"scale_ratio", values.scale_ratio},
          {"mean", values.mean},
          {"largest_channel", values.largest_channel},
          {"largest_share", values.largest_share},
          {"outlier_share", values.outlier_share},
          {"outlier_energy", values.outlier_energy},
          {"sentinel", values.n_sentinels > 0 ? Json(values.sentinel) : Json(nullptr)},
          {"n_sentinels", values.n_sentinels},
          {"with_baseline", values.with_baseline},
          {"farthest_channel", values.farthest_channel},
          {"farthest", values.farthest},
          {"negative", values.negative},
          {"negative_energy", values.negative_energy}};
}

Json to_object(const TogetherCheck& together) {
  Json sessions = Json::array();
  for (const SessionCheck& session : together.sessions)
    sessions.push_back({{"n_trials", session.n_trials}, {"n_channels", session.n_channels}});
  return {{"n_pairs", together.n_pairs},
          {"n_apart", together.n_apart},
          {"n_parts", together.n_parts},
          {"sessions", sessions},
          {"n_tying", together.n_tying}};
}

Json to_object(const GapCheck& gaps) {
  const bool has_gaps = gaps.n_trials > 0;
  Json unseen = Json::array();
  for (const Unseen& u : gaps.unseen)
    unseen.push_back({{"channel", u.channel}, {"category", u.category}, {"option", u.option}});
  return {{"n_channels", gaps.n_channels},
          {"n_trials", gaps.n_trials},
          {"n_empty_pairs", gaps.n_empty_pairs},
          {"n_empty_times", gaps.n_empty_times},
          {"worst_channel", has_gaps ? Json(gaps.worst_channel) : Json(nullptr)},
          {"worst_channel_share", gaps.worst_channel_share},
          {"worst_trial", has_gaps ? Json(gaps.worst_trial) : Json(nullptr)},
          {"worst_trial_share", gaps.worst_trial_share},
          {"unseen", unseen},
          {"together", to_object(gaps.together)}};
}

Json to_object(const LabelCheck& label) {
  Json options = Json::array();
  for (const OptionCount& option : label.options)
    options.push_back({{"name", option.name}, {"n_trials", option.n_trials}});
  const bool is_category = label.use == LabelUse::category;
  return {{"name", label.spec.name},
          {"use", name_of(label.use)},
          {"kind", is_category ? Json(to_text(label.spec.kind)) : Json(nullptr)},
          {"category", is_category ? Json(to_text(label.spec)) : Json(nullptr)},
          {"n_missing", label.n_missing},
          {"options", options}};
}

Json to_object(const PairCheck& pair) {
  return {{"first", pair.first},         {"second", pair.second},   {"relation", name_of(pair.relation)},
          {"cramers_v", pair.cramers_v}, {"n_cells", pair.n_cells}, {"n_empty", pair.n_empty}};
}

Json to_object(const DesignCell& cell) {
  return {{"options", cell.options}, {"n_trials", cell.n_trials}};
}

Json to_object(const Finding& finding) {
  return {{"text", finding.text},
          {"advice", finding.advice},
          {"option", finding.option.empty() ? Json(nullptr) : Json(finding.option)}};
}

template <class Items>
Json to_array(const Items& items) {
  Json out = Json::array();
  for (const auto& item : items) out.push_back(to_object(item));
  return out;
}

}  // namespace

std::string to_json(const Check& check) {
  const Json out = {{"n_trials", check.n_trials},
                    {"n_channels", check.n_channels},
                    {"time", to_object(check.time)},
                    {"values", to_object(check.values)},
                    {"gaps", to_object(check.gaps)},
                    {"labels", to_array(check.labels)},
                    {"design",
                     {{"categories", check.categories},
                      {"n_cells", check.n_cells},
                      {"cells", to_array(check.cells)},
                      {"pairs", to_array(check.pairs)}}},
                    {"memory_bytes", check.memory_bytes},
                    {"fit_seconds", check.fit_seconds},
                    {"findings", to_array(check.findings)},
                    {"suggestion", check.suggestion}};
  // Names that a program made need not be UTF-8.
  return out.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace milcci
