// Labels made of other labels.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/nearest_name.hpp"
#include "milcci/error.hpp"
#include "prepare/steps.hpp"
#include "util/cuts.hpp"

namespace milcci::prepare_steps {

namespace {

// The lowest value of every bin but the first; the bins are those of a category with `bins`.
std::vector<double> quantile_edges(std::vector<double> values, int n) {
  std::sort(values.begin(), values.end());
  std::vector<double> edges;
  for (const std::size_t cut : balanced_cuts(values, n)) edges.push_back(values[cut]);
  return edges;
}

std::string bin_text(const std::vector<double>& edges, std::size_t bin) {
  if (bin == 0) return fmt::format("below {:.6g}", edges.front());
  if (bin == edges.size()) return fmt::format("{:.6g} or more", edges.back());
  return fmt::format("{:.6g} to {:.6g}", edges[bin - 1], edges[bin]);
}

// Integers, unless some are missing.
LabelColumn column_of_bins(const std::string& name, const std::vector<double>& bins) {
  if (std::any_of(bins.begin(), bins.end(), [](double bin) { return std::isnan(bin); })) return {name, bins};
  return {name, LabelColumn::Integers(bins.begin(), bins.end())};
}

}  // namespace

const LabelColumn& find_column(const Trials& trials, const std::string& option, const std::string& name) {
  if (const LabelColumn* column = trials.find_label(name)) return *column;
  std::vector<std::string> names;
  for (const LabelColumn& column : trials.labels) names.push_back(column.name);
  throw Error(ErrorKind::bad_option, fmt::format("`{}` = {}: there is no such label column{}", option, name,
                                                 names.empty() ? ", and no other" : suggestion(name, names)));
}

void add_column(Trials& trials, const std::string& option, LabelColumn column) {
  if (trials.find_label(column.name))
    throw Error(
        ErrorKind::bad_option,
        fmt::format("`{}`: there is a label column {} already; leave it out with `ignore_columns` = {}",
                    option, column.name, column.name));
  trials.labels.push_back(std::move(column));
}

std::string number_trials(Trials& trials) {
  LabelColumn::Integers numbers(trials.n_trials());
  std::iota(numbers.begin(), numbers.end(), 1);
  add_column(trials, "number_trials", {"trial_number", std::move(numbers)});
  return fmt::format("label trial_number: 1 to {}", trials.n_trials());
}

std::string bin_label(Trials& trials, const BinLabel& step) {
  const LabelColumn& column = find_column(trials, "bin_label", step.column);
  if (!column.is_numeric())
    throw Error(ErrorKind::bad_option, fmt::format("`bin_label` = {}: the column holds texts such as \"{}\", "
                                                   "must hold numbers",
                                                   to_text(step), column.size() > 0 ? column.text(0) : ""));
  std::vector<double> observed;
  for (std::size_t m = 0; m < column.size(); ++m)
    if (!column.is_missing(m)) observed.push_back(column.number(m));
  const std::vector<double> edges =
      step.n_quantiles == 0 || observed.empty() ? step.edges : quantile_edges(observed, step.n_quantiles);
  if (edges.empty())
    throw Error(ErrorKind::bad_option, fmt::format("`bin_label` = {}: all {} values are the same or missing, "
                                                   "there is nothing to cut",
                                                   to_text(step), column.size()));
  std::vector<double> bins;
  std::vector<std::size_t> n_trials(edges.size() + 1, 0);
  for (std::size_t m = 0; m < column.size(); ++m) {
    const bool is_missing = column.is_missing(m);
    const auto above = std::upper_bound(edges.begin(), edges.end(), is_missing ? 0.0 : column.number(m));
    const auto bin = static_cast<std::size_t>(above - edges.begin());
    bins.push_back(is_missing ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(bin + 1));
    if (!is_missing) ++n_trials[bin];
  }
  const std::string name = step.column + "_bin";
  std::vector<std::string> texts;
  for (std::size_t bin = 0; bin <= edges.size(); ++bin)
    texts.push_back(fmt::format("{} = {} ({} trials)", bin + 1, bin_text(edges, bin), n_trials[bin]));
  std::string note = fmt::format("label {}: {}", name, fmt::join(texts, ", "));
  if (observed.size() < column.size())
    note += fmt::format(", missing ({} trials)", column.size() - observed.size());
  add_column(trials, "bin_label", column_of_bins(name, bins));
  return note;
}

std::string block_label(Trials& trials, const BlockLabel& step) {
  const LabelColumn& column = find_column(trials, "block_label", step.column);
  std::vector<double> blocks;
  std::string before;
  std::size_t n_blocks = 0, n_missing = 0;
  for (std::size_t m = 0; m < column.size(); ++m) {
    if (column.is_missing(m)) {
      blocks.push_back(std::numeric_limits<double>::quiet_NaN());
      ++n_missing;
      continue;
    }
    const std::string value = column.text(m);
    if (n_blocks == 0 || value != before) ++n_blocks;
    before = value;
    blocks.push_back(static_cast<double>(n_blocks));
  }
  std::string note =
      fmt::format("label {}_block: {} blocks of trials with the same {}", step.column, n_blocks, step.column);
  if (n_missing > 0) note += fmt::format(", missing ({} trials)", n_missing);
  add_column(trials, "block_label", column_of_bins(step.column + "_block", blocks));
  return note;
}

}  // namespace milcci::prepare_steps
