#include "milcci/describe.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>

#include "core/json_depth.hpp"
#include "core/shown_name.hpp"
#include "milcci/files.hpp"

namespace milcci {
namespace {

using nlohmann::json;

constexpr std::size_t kOptionsShown = 8;

struct Lengths {
  Index min = 0, max = 0, total = 0;
};

Lengths lengths(const std::vector<Matrix>& per_trial) {
  if (per_trial.empty()) return {};
  Lengths out{per_trial.front().cols(), per_trial.front().cols(), 0};
  for (const Matrix& matrix : per_trial) {
    out.min = std::min(out.min, matrix.cols());
    out.max = std::max(out.max, matrix.cols());
    out.total += matrix.cols();
  }
  return out;
}

double missing_share(const Trials& trials) {
  Index missing = 0, all = 0;
  for (const Matrix& values : trials.values) {
    missing += values.array().isNaN().count();
    all += values.size();
  }
  return all == 0 ? 0.0 : static_cast<double>(missing) / static_cast<double>(all);
}

// The values of a label column and how many trials have each, numbers ascending and words in
// alphabetical order.
struct Option {
  std::string name;
  std::size_t n_trials = 0;
};
std::vector<Option> options_of(const LabelColumn& column) {
  std::map<std::pair<double, std::string>, std::size_t> n_trials;
  for (std::size_t m = 0; m < column.size(); ++m)
    if (!column.is_missing(m)) ++n_trials[{column.is_numeric() ? column.number(m) : 0.0, column.text(m)}];
  std::vector<Option> options;
  for (const auto& [value, n] : n_trials) options.push_back({value.second, n});
  return options;
}

const char* type_name(const LabelColumn& column) {
  return std::array{"text", "integer", "real"}[column.values.index()];
}

std::vector<std::string> groups_of(const std::vector<std::string>& channel_groups) {
  std::vector<std::string> groups = channel_groups;
  std::sort(groups.begin(), groups.end());
  groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
  return groups;
}

std::string lengths_text(const Lengths& l) {
  return l.min == l.max ? fmt::format("{} time points", l.min)
                        : fmt::format("{} to {} time points", l.min, l.max);
}

std::string plural(std::size_t n, const std::string& noun) {
  return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
}

template <class Names>
std::string first_few(const Names& names) {
  const std::size_t n = std::min(names.size(), kOptionsShown);
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < n; ++i) shown.push_back(shown_name(names[i]));
  const std::string text = fmt::format("{}", fmt::join(shown, ", "));
  return names.size() > n ? fmt::format("{}, ... ({} in all)", text, names.size()) : text;
}

json labels_json(const std::vector<LabelColumn>& labels) {
  json out = json::array();
  for (const LabelColumn& column : labels) {
    json options = json::array();
    for (const Option& option : options_of(column))
      options.push_back({{"name", option.name}, {"n_trials", option.n_trials}});
    out.push_back({{"name", column.name}, {"type", type_name(column)}, {"options", options}});
  }
  return out;
}

// Of a file that others may have written; discarded if it is not what we would write.
json step_json(const std::string& step) {
  if (json_depth(step) > kDeepestJson) return json(json::value_t::discarded);
  return json::parse(step, nullptr, false);
}

json history_json(const std::vector<std::string>& history) {
  json out = json::array();
  for (const std::string& step : history) {
    const json parsed = step_json(step);
    out.push_back(parsed.is_discarded() ? json() : parsed);
  }
  return out;
}

std::string labels_text(const std::vector<LabelColumn>& labels) {
  std::string out;
  for (const LabelColumn& column : labels) {
    std::vector<std::string> options;
    for (const Option& option : options_of(column))
      options.push_back(fmt::format("{} x{}", option.name, option.n_trials));
    out += fmt::format("\nlabel {} ({}): {}", shown_name(column.name), type_name(column), first_few(options));
  }
  return out;
}

std::string names_text(const std::vector<std::string>& trial_names) {
  return trial_names.empty() ? "" : "\ntrials named " + first_few(trial_names);
}

std::string to_text(const json& object) {
  return object.dump(2, ' ', false, json::error_handler_t::replace);
}

// Names and sizes of true or fitted components, whatever their struct.
json components_json(const std::string& name, const std::vector<std::string>& options, Index n_components) {
  return {{"name", name}, {"n_components", n_components}, {"options", options}};
}

std::string components_text(const std::string& name, const std::vector<std::string>& options,
                            Index n_components) {
  return fmt::format("{}: {}, {} ({})", shown_name(name),
                     plural(static_cast<std::size_t>(n_components), "component"),
                     plural(options.size(), "option"), first_few(options));
}

}  // namespace

std::string describe_json(const Trials& trials) {
  const Lengths l = lengths(trials.values);
  json out = {{"kind", "trials"},
              {"n_trials", trials.n_trials()},
              {"n_channels", trials.n_channels()},
              {"min_length", l.min},
              {"max_length", l.max},
              {"n_samples", l.total},
              {"missing", missing_share(trials)},
              {"has_times", !trials.times.empty()},
              {"channel_groups", groups_of(trials.channel_groups)},
              {"fingerprint", fingerprint(trials)}};
  out["trial_names"] = trials.trial_names;
  out["labels"] = labels_json(trials.labels);
  out["history"] = history_json(trials.history);
  out["truth"] = nullptr;
  if (trials.truth) {
    out["truth"] = json::array();
    for (const CategoryComponents& c : trials.truth->categories)
      out["truth"].push_back(components_json(c.name, c.options, c.n_components()));
  }
  return to_text(out);
}

std::string describe_text(const Trials& trials) {
  std::string out = fmt::format("{} of {}, {}, {:.3g} % missing", plural(trials.n_trials(), "trial"),
                                plural(static_cast<std::size_t>(trials.n_channels()), "channel"),
                                lengths_text(lengths(trials.values)), 100 * missing_share(trials));
  if (!trials.channel_groups.empty())
    out += "\nchannel groups: " + first_few(groups_of(trials.channel_groups));
  out += names_text(trials.trial_names) + labels_text(trials.labels);
  if (trials.truth)
    for (const CategoryComponents& c : trials.truth->categories)
      out += "\ntruth " + components_text(c.name, c.options, c.n_components());
  return out;
}

std::string history_text(const std::vector<std::string>& history) {
  std::string out;
  for (const std::string& step : history) {
    const json entry = step_json(step);
    if (!entry.is_object()) continue;
    std::vector<std::string> settings;
    for (const auto& [key, value] : entry.items()) {
      if (key == "step" || key == "notes") continue;
      if (value.is_object()) {
        for (const auto& [name, setting] : value.items()) settings.push_back(name + "=" + setting.dump());
      } else {
        settings.push_back(value.is_string() ? value.get<std::string>() : value.dump());
      }
    }
    out += fmt::format(
        "\nhistory {}: {}",
        entry.contains("step") && entry["step"].is_string() ? entry["step"].get<std::string>() : "?",
        fmt::join(settings, ", "));
  }
  return out;
}

std::string describe_json(const FitResult& result) {
  const auto& [model, summary] = result;
  const Lengths l = lengths(model.traces);
  json out = {{"kind", "model"},
              {"n_trials", model.n_trials()},
              {"n_channels", model.n_channels()},
              {"n_components", model.n_components()},
              {"min_length", l.min},
              {"max_length", l.max},
              {"dead_components", model.dead_components()},
              {"summary", json::parse(to_json(summary))}};
  out["categories"] = json::array();
  for (const FittedCategory& c : model.categories) {
    json category = components_json(c.category.spec.name, c.category.options, c.n_components());
    category["kind"] = to_text(c.category.spec.kind);
    out["categories"].push_back(std::move(category));
  }
  out["noise"] = json::parse(noise_json(model));
  out["trial_names"] = model.trial_names;
  out["labels"] = labels_json(model.labels);
  out["history"] = history_json(model.history);
  return to_text(out);
}

std::string describe_text(const FitResult& result) {
  const auto& [model, summary] = result;
  std::string out =
      fmt::format("model of {} of {}, {}, made by milcci {} from data {}", plural(model.n_trials(), "trial"),
                  plural(static_cast<std::size_t>(model.n_channels()), "channel"),
                  lengths_text(lengths(model.traces)), summary.version, summary.data_fingerprint);
  for (const FittedCategory& c : model.categories)
    out += fmt::format("\n{} category {}", to_text(c.category.spec.kind),
                       components_text(c.category.spec.name, c.category.options, c.n_components()));
  out += names_text(model.trial_names) + labels_text(model.labels) + history_text(model.history);
  return out + "\n" + noise_text(model) + summary.full_report();
}

}  // namespace milcci
