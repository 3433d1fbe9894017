#include "label_graphs/categories.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "core/nearest_name.hpp"
#include "core/shown_name.hpp"
#include "label_graphs/graph.hpp"
#include "milcci/error.hpp"
#include "milcci/options.hpp"
#include "util/cuts.hpp"

namespace milcci {
namespace {

std::vector<std::string> column_names(const CategorySpec& spec) {
  return spec.columns.empty() ? std::vector<std::string>{spec.name} : spec.columns;
}

const LabelColumn& column(const CategorySpec& spec, const std::string& name, const TrialSource& trials) {
  if (const LabelColumn* found = trials.find_label(name)) return *found;
  std::vector<std::string> known;
  for (const LabelColumn& label : trials.labels()) known.push_back(label.name);
  const std::string meant = nearest_name(name, known);
  if (!meant.empty())
    throw Error(
        ErrorKind::bad_input,
        fmt::format("category '{}': the trials have no label column '{}', did you mean '{}'? They have: {}",
                    shown_name(spec.name), shown_name(name), shown_name(meant),
                    fmt::join(shown_names(known), ", ")));
  throw Error(ErrorKind::bad_input,
              fmt::format("category '{}': the trials have no label column '{}'; they have: {}. Add it to "
                          "them (`labels` takes a table), or fit with one of those: NAME=COUNT, or "
                          "NAME=COUNT:KIND,columns=COLUMN",
                          shown_name(spec.name), shown_name(name),
                          known.empty() ? "none" : fmt::format("{}", fmt::join(shown_names(known), ", "))));
}

void require_present(const CategorySpec& spec, const TrialSource& trials) {
  for (const std::string& name : column_names(spec)) {
    const LabelColumn& label = column(spec, name, trials);
    for (std::size_t m = 0; m < trials.n_trials(); ++m)
      if (label.is_missing(m))
        throw Error(
            ErrorKind::bad_input,
            fmt::format("category '{}': trial {} has no value in label column '{}'; every trial needs one. "
                        "Fill it in or drop the trial, as prepare does with `drop_trials` = {}",
                        spec.name, m + 1, name, name));
  }
}

// Options of an unordered category: numbers ascending, texts in alphabetical order.
std::vector<std::size_t> trials_by_option(const CategorySpec& spec, const TrialSource& trials) {
  std::vector<std::size_t> order(trials.n_trials());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto less = [&](std::size_t a, std::size_t b) {
    for (const std::string& name : column_names(spec)) {
      const LabelColumn& label = column(spec, name, trials);
      // Integers of 64 bits may be the same number in a double.
      if (label.is_numeric() && label.number(a) != label.number(b)) return label.number(a) < label.number(b);
      if (label.text(a) != label.text(b)) return label.text(a) < label.text(b);
    }
    return false;
  };
  std::stable_sort(order.begin(), order.end(), less);
  return order;
}

Category resolve_unordered(const CategorySpec& spec, const TrialSource& trials) {
  Category category{.spec = spec, .options = {}, .option_values = {}, .option_of_trial = {}, .graph = {}};
  category.option_of_trial.resize(trials.n_trials());
  for (const std::size_t m : trials_by_option(spec, trials)) {
    const std::string name = option_name(spec, trials, m);
    if (category.options.empty() || category.options.back() != name) category.options.push_back(name);
    category.option_of_trial[m] = category.n_options() - 1;
  }
  return category;
}

// Integers of 64 bits, such as identifiers, may be the same number in a double.
void require_one_option(const CategorySpec& spec, const TrialSource& trials,
                        const std::vector<std::size_t>& members) {
  constexpr double kLargest = 9007199254740992.0;  // 2^53
  const auto is_large = [&](const std::string& name) {
    const LabelColumn& label = column(spec, name, trials);
    return label.is_numeric() && std::abs(label.number(members[0])) >= kLargest;
  };
  const std::vector<std::string> names = column_names(spec);
  if (spec.kind == CategoryKind::trial_number || std::none_of(names.begin(), names.end(), is_large)) return;
  const std::string first = option_name(spec, trials, members[0]);
  for (const std::size_t m : members)
    if (option_name(spec, trials, m) != first)
      throw Error(
          ErrorKind::bad_input,
          fmt::format("category '{}' is {}, and its values {} and {} are too large to be told apart as "
                      "numbers (beyond 2^53); use kind categorical, or number them from 1",
                      spec.name, to_text(spec.kind), first, option_name(spec, trials, m)));
}

Category resolve_ordered(const CategorySpec& spec, const TrialSource& trials) {
  Category category{.spec = spec, .options = {}, .option_values = {}, .option_of_trial = {}, .graph = {}};
  const std::size_t n_trials = trials.n_trials();
  category.option_of_trial.resize(n_trials);
  std::vector<std::vector<double>> points(n_trials);
  for (std::size_t m = 0; m < n_trials; ++m) {
    const Eigen::RowVectorXd point = label_point(spec, trials, m);
    points[m].assign(point.data(), point.data() + point.size());
  }
  std::map<std::vector<double>, std::vector<std::size_t>> options;  // bin or point -> its trials
  if (spec.bins > 0) {
    category.bin_edges = bin_edges(spec, trials);
    for (std::size_t m = 0; m < n_trials; ++m)
      options[{static_cast<double>(bin_of(category.bin_edges, points[m][0]))}].push_back(m);
  } else {
    for (std::size_t m = 0; m < n_trials; ++m) options[points[m]].push_back(m);
  }
  category.option_values.resize(static_cast<Index>(options.size()), static_cast<Index>(points[0].size()));
  for (const auto& [key, members] : options) {
    const Index i = category.n_options();
    Eigen::RowVectorXd mean = Eigen::RowVectorXd::Zero(category.option_values.cols());
    for (const std::size_t m : members) {
      category.option_of_trial[m] = static_cast<int>(i);
      mean += Eigen::Map<const Eigen::RowVectorXd>(points[m].data(), mean.size());
    }
    category.option_values.row(i) = mean / static_cast<double>(members.size());
    if (spec.bins > 0) {
      double low = points[members[0]][0], high = low;
      for (const std::size_t m : members)
        low = std::min(low, points[m][0]), high = std::max(high, points[m][0]);
      category.options.push_back(fmt::format("{} to {}", low, high));
    } else {
      category.options.push_back(option_name(spec, trials, members[0]));
      require_one_option(spec, trials, members);
    }
  }
  return category;
}

// The part of the user's graph that belongs to the options found, in their order.
Matrix matching_graph(const CategorySpec& spec, const std::vector<std::string>& options) {
  std::vector<Index> position;
  for (const std::string& option : options) {
    const auto found = std::find(spec.graph_options.begin(), spec.graph_options.end(), option);
    if (found == spec.graph_options.end())
      throw Error(ErrorKind::bad_input,
                  fmt::format("category '{}': the trials have option '{}', the graph has only: "
                              "{}. Add a row and a column for it to the graph file",
                              spec.name, option, fmt::join(spec.graph_options, ", ")));
    position.push_back(found - spec.graph_options.begin());
  }
  return spec.graph(position, position);
}

Category resolve_category(const CategorySpec& spec, const TrialSource& trials) {
  if (spec.kind == CategoryKind::fixed) {
    Category category{
        .spec = spec, .options = {"all"}, .option_values = {}, .option_of_trial = {}, .graph = {}};
    category.option_of_trial.assign(trials.n_trials(), 0);
    category.graph = label_graph(spec, 1, {});
    return category;
  }
  if (spec.kind != CategoryKind::trial_number) require_present(spec, trials);
  Category category =
      has_distances(spec.kind) ? resolve_ordered(spec, trials) : resolve_unordered(spec, trials);
  if (spec.kind == CategoryKind::graph) {
    CategorySpec matching = spec;
    matching.graph = matching_graph(spec, category.options);
    category.graph = label_graph(matching, category.n_options(), {});
  } else {
    category.graph = label_graph(spec, category.n_options(), category.option_values);
  }
  return category;
}

}  // namespace

std::string option_name(const CategorySpec& spec, const TrialSource& trials, std::size_t trial) {
  if (spec.kind == CategoryKind::fixed) return "all";
  if (spec.kind == CategoryKind::trial_number) return fmt::format("{}", trial + 1);
  std::string name;
  for (const std::string& part : column_names(spec)) {
    if (!name.empty()) name += ", ";
    name += column(spec, part, trials).text(trial);
  }
  return name;
}

Eigen::RowVectorXd label_point(const CategorySpec& spec, const TrialSource& trials, std::size_t trial) {
  if (spec.kind == CategoryKind::trial_number)
    return Eigen::RowVectorXd::Constant(1, static_cast<double>(trial + 1));
  const std::vector<std::string> names = column_names(spec);
  if (!spec.order.empty()) {
    const std::string text = column(spec, names[0], trials).text(trial);
    const auto found = std::find(spec.order.begin(), spec.order.end(), text);
    if (found == spec.order.end())
      throw Error(ErrorKind::bad_input,
                  fmt::format("category '{}': trial {} has '{}', which is not in order={}", spec.name,
                              trial + 1, text, fmt::join(spec.order, "+")));
    return Eigen::RowVectorXd::Constant(1, static_cast<double>(found - spec.order.begin()));
  }
  Eigen::RowVectorXd point(static_cast<Index>(names.size()));
  for (std::size_t c = 0; c < names.size(); ++c) {
    const LabelColumn& label = column(spec, names[c], trials);
    if (!label.is_numeric())
      throw Error(
          ErrorKind::bad_input,
          fmt::format("category '{}' is {}, but label column '{}' holds text (trial {}: '{}'); give its "
                      "order, as in {}={}:ordinal,order=low+middle+high, or use kind categorical",
                      spec.name, to_text(spec.kind), names[c], trial + 1, label.text(trial), spec.name,
                      spec.n_components));
    const double number = label.number(trial);
    if (std::isinf(number))
      throw Error(ErrorKind::bad_input,
                  fmt::format("category '{}' is {}, but label column '{}' holds {} (trial {}), which has no "
                              "distance to others; give a finite number, or use kind categorical",
                              spec.name, to_text(spec.kind), names[c], number, trial + 1));
    point(static_cast<Index>(c)) = number;
  }
  return point;
}

std::vector<double> bin_edges(const CategorySpec& spec, const TrialSource& trials) {
  std::vector<double> sorted;
  for (std::size_t m = 0; m < trials.n_trials(); ++m) sorted.push_back(label_point(spec, trials, m)(0));
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> edges;
  for (const std::size_t cut : balanced_cuts(sorted, spec.bins)) edges.push_back(sorted[cut - 1]);
  return edges;
}

int bin_of(const std::vector<double>& edges, double value) {
  return static_cast<int>(std::lower_bound(edges.begin(), edges.end(), value) - edges.begin());
}

std::vector<Category> resolve_categories(const std::vector<CategorySpec>& specs, const TrialSource& trials) {
  std::vector<Category> categories;
  for (const CategorySpec& spec : specs) categories.push_back(resolve_category(spec, trials));
  return categories;
}

}  // namespace milcci
