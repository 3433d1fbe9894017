#include "prepare/repeat_steps.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/json_depth.hpp"
#include "core/json_object.hpp"
#include "milcci/error.hpp"
#include "milcci/files.hpp"
#include "milcci/prepare.hpp"
#include "milcci/trial_source.hpp"

namespace milcci {

namespace {

struct Step {
  std::string name, setting;
  bool operator==(const Step&) const = default;

  // The label column that it reads, or empty.
  std::string column() const {
    if (name == "bin_label") return parse_bin_label(setting).column;
    if (name == "drop_trials") return parse_drop_trials(setting).column;
    return setting;
  }
  // Empty if it makes none.
  std::string made_column() const {
    if (name == "number_trials") return "trial_number";
    if (name == "bin_label") return column() + "_bin";
    return name == "block_label" ? column() + "_block" : "";
  }
  bool changes_values() const { return name == "smooth" || name == "scale"; }
  // Mean, percentile and so on are of the data, so that other data get others.
  bool takes_numbers_from_data() const {
    if (name == "bin_label") return parse_bin_label(setting).n_quantiles > 0;
    return name == "scale" && parse_scale(setting).method >= ScaleMethod::zscore;
  }
};

std::vector<Step> steps_in(const std::vector<std::string>& history) {
  std::vector<std::string> known;
  visit_fields(PrepareOptions{}, [&](const Field& field, const auto&) { known.emplace_back(field.name); });
  std::vector<Step> steps;
  for (const std::string& entry : history) {
    const Json json = json_depth(entry) > kDeepestJson ? Json() : Json::parse(entry, nullptr, false);
    if (!json.is_object() || !json.contains("step") || !json["step"].is_string()) continue;
    const bool has_setting = json.contains("setting") && json["setting"].is_string();
    Step step{json["step"], has_setting ? std::string(json["setting"]) : ""};
    if (std::ranges::find(known, step.name) != known.end()) steps.push_back(std::move(step));
  }
  return steps;
}

PrepareOptions options_of(const Step& step) {
  PrepareOptions options;
  if (step.name == "number_trials") options.number_trials = true;
  if (step.name == "bin_label") options.bin_label = {parse_bin_label(step.setting)};
  if (step.name == "block_label") options.block_label = {{step.setting}};
  if (step.name == "drop_trials") options.drop_trials = {parse_drop_trials(step.setting)};
  if (step.name == "smooth") options.smooth = parse_smooth(step.setting);
  if (step.name == "scale") options.scale = {parse_scale(step.setting)};
  return options;
}

bool are_same(const LabelColumn* a, const LabelColumn* b) {
  if (!a || !b || a->size() != b->size()) return false;
  for (std::size_t m = 0; m < a->size(); ++m)
    if (a->text(m) != b->text(m)) return false;
  return true;
}

std::string to_text(const std::vector<Step>& steps) {
  std::vector<std::string> texts;
  for (const Step& step : steps)
    texts.push_back(step.setting.empty() ? step.name : step.name + " " + step.setting);
  return fmt::format("{}", fmt::join(texts, ", "));
}

[[noreturn]] void refuse_other_trials(const std::vector<Step>& steps) {
  throw Error(ErrorKind::bad_input,
              fmt::format("the fit took the numbers for {} from its own trials, and these are others, which "
                          "would be given other numbers; prepare all trials together before the fit, or fit "
                          "with a scaling that takes every value by itself (sqrt, log1p, tanh)",
                          to_text(steps)));
}

}  // namespace

bool has_steps(const std::vector<std::string>& history) {
  return !steps_in(history).empty();
}

std::vector<std::string> prepare_as_fitted(Trials& trials, const std::vector<std::string>& history,
                                           const std::string& fingerprint) {
  const std::vector<Step> own = steps_in(trials.history);
  const std::vector<Step> fitted = steps_in(history);
  std::vector<Step> missing = fitted;
  std::erase_if(missing, [&](const Step& step) { return std::ranges::find(own, step) != own.end(); });
  // Whoever prepared trials at all chose trials and labels on purpose, but values must be alike.
  if (!own.empty() && std::ranges::any_of(missing, &Step::changes_values))
    throw Error(ErrorKind::bad_input,
                fmt::format("the trials were prepared in another way ({}) than those of the fit, where there "
                            "was also: {}; prepare them as those of the fit",
                            to_text(own), to_text(missing)));
  std::vector<Step> other = own;
  std::erase_if(other, [&](const Step& step) {
    return !step.changes_values() || std::ranges::find(fitted, step) != fitted.end();
  });
  if (!history.empty() && !other.empty())
    throw Error(ErrorKind::bad_input,
                fmt::format("the trials were prepared in another way than those of the fit, where there was "
                            "not: {}; prepare them as those of the fit",
                            to_text(other)));
  if (!own.empty()) return {};
  std::vector<std::string> notes;
  for (const Step& step : missing)
    for (const std::string& note : prepare(trials, options_of(step)))
      notes.push_back("as in the fit: " + note);
  std::erase_if(missing, [](const Step& step) { return !step.takes_numbers_from_data(); });
  if (!missing.empty() && milcci::fingerprint(trials) != fingerprint) refuse_other_trials(missing);
  return notes;
}

std::vector<std::string> prepare_labels_as_fitted(Trials& trials, const Model& model) {
  std::vector<std::string> notes;
  std::vector<Step> by_quantiles;
  for (const Step& step : steps_in(model.history)) {
    const std::string column = step.column();
    const bool is_made = !step.made_column().empty() && trials.find_label(step.made_column());
    if (step.changes_values() || is_made || (!column.empty() && !trials.find_label(column))) continue;
    for (const std::string& note : prepare(trials, options_of(step)))
      notes.push_back("as in the fit: " + note);
    if (step.takes_numbers_from_data()) by_quantiles.push_back(step);
  }
  TrialsInfo fitted;
  fitted.labels = model.labels;
  std::erase_if(by_quantiles, [&](const Step& step) {
    const std::string made = step.made_column(), column = step.column();
    return are_same(trials.find_label(made), fitted.find_label(made)) &&
           are_same(trials.find_label(column), fitted.find_label(column));
  });
  if (!by_quantiles.empty()) refuse_other_trials(by_quantiles);
  return notes;
}

}  // namespace milcci
