// Which trials belong together, by the values of labels.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "core/nearest_name.hpp"
#include "core/shown_name.hpp"
#include "milcci/error.hpp"
#include "milcci/trace_summary.hpp"

namespace milcci {
namespace {

constexpr std::size_t kMostGroups = 100;

// One label: names of its values, and that of each trial, or -1.
struct Label {
  std::vector<std::string> values;
  std::vector<int> of_trial;
};

Label label_of(const LabelColumn& column) {
  const std::size_t n_trials = column.size();
  std::vector<std::pair<double, std::string>> found;  // texts have no number
  const auto key = [&](std::size_t m) {
    return std::pair(column.is_numeric() ? column.number(m) : 0.0, column.text(m));
  };
  for (std::size_t m = 0; m < n_trials; ++m)
    if (!column.is_missing(m)) found.push_back(key(m));
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  Label label;
  for (const auto& [number, text] : found) label.values.push_back(text);
  for (std::size_t m = 0; m < n_trials; ++m)
    label.of_trial.push_back(
        column.is_missing(m)
            ? -1
            : static_cast<int>(std::lower_bound(found.begin(), found.end(), key(m)) - found.begin()));
  return label;
}

Label find_label(const Model& model, const std::string& name) {
  std::vector<std::string> known;
  for (const FittedCategory& fitted : model.categories) {
    const Category& category = fitted.category;
    if (category.spec.name == name) return {category.options, category.option_of_trial};
    known.push_back(category.spec.name);
  }
  for (const LabelColumn& column : model.labels) {
    if (column.name == name) return label_of(column);
    known.push_back(column.name);
  }
  throw Error(ErrorKind::bad_option,
              fmt::format("the model has no label {}{}", shown_name(name), suggestion(name, known)));
}

}  // namespace

TrialGroups group_trials(const Model& model, const std::vector<std::string>& by) {
  if (by.empty()) return {{{}}, std::vector<int>(model.n_trials(), 0)};
  std::vector<Label> labels;
  for (const std::string& name : by) labels.push_back(find_label(model, name));
  std::map<std::vector<int>, int> position;  // in the order of the values
  std::vector<std::vector<int>> key_of_trial(model.n_trials());
  for (std::size_t m = 0; m < model.n_trials(); ++m) {
    for (const Label& label : labels) key_of_trial[m].push_back(label.of_trial[m]);
    if (std::ranges::find(key_of_trial[m], -1) == key_of_trial[m].end()) position[key_of_trial[m]] = 0;
  }
  if (position.empty())
    throw Error(ErrorKind::bad_option,
                fmt::format("no trial has a value of {}", fmt::join(shown_names(by), " and ")));
  if (position.size() > kMostGroups)
    throw Error(ErrorKind::bad_option,
                fmt::format("{} has {} different values, at most {} can be told apart; cut it into bins "
                            "(`bin_label`) before the fit",
                            fmt::join(shown_names(by), " with "), position.size(), kMostGroups));
  TrialGroups groups;
  for (auto& [key, place] : position) {
    place = static_cast<int>(groups.values.size());
    groups.values.emplace_back();
    for (std::size_t l = 0; l < labels.size(); ++l)
      groups.values.back().push_back(labels[l].values[static_cast<std::size_t>(key[l])]);
  }
  for (const std::vector<int>& key : key_of_trial) {
    const auto found = position.find(key);
    groups.of_trial.push_back(found == position.end() ? -1 : found->second);
  }
  return groups;
}

}  // namespace milcci
