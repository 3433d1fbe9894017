// Names of enumeration values, and what makes options invalid.
#include "milcci/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "core/field_checks.hpp"
#include "milcci/error.hpp"
#include "milcci/model.hpp"

namespace milcci {

const std::vector<std::string>& value_names(NonNegative) {
  static const std::vector<std::string> names = {"none", "components", "traces", "both"};
  return names;
}

const std::vector<std::string>& value_names(Precision) {
  static const std::vector<std::string> names = {"float64", "float32"};
  return names;
}

const std::vector<std::string>& value_names(Transform) {
  static const std::vector<std::string> names = {"none", "tanh"};
  return names;
}

const std::vector<std::string>& value_names(Effort) {
  static const std::vector<std::string> names = {"quick", "default", "thorough"};
  return names;
}

const std::vector<std::string>& value_names(Offset) {
  static const std::vector<std::string> names = {"auto", "none", "channel"};
  return names;
}

const std::vector<std::string>& value_names(Noise) {
  static const std::vector<std::string> names = {"auto", "equal", "channel"};
  return names;
}

const std::vector<std::string>& value_names(PenaltyChoice) {
  static const std::vector<std::string> names = {"auto", "fixed"};
  return names;
}

const std::vector<std::string>& value_names(Loss) {
  static const std::vector<std::string> names = {"squared", "huber"};
  return names;
}

bool has_offset(const FitOptions& options) {
  const bool is_auto = options.offset == Offset::automatic;
  return is_auto ? options.penalties == PenaltyChoice::automatic : options.offset == Offset::channel;
}

bool has_noise_levels(const FitOptions& options) {
  const bool is_auto = options.noise == Noise::automatic;
  return is_auto ? options.penalties == PenaltyChoice::automatic : options.noise == Noise::channel;
}

const std::vector<std::string>& value_names(Certainty) {
  static const std::vector<std::string> names = {"firm", "alternative", "unstable", "none"};
  return names;
}

const std::vector<std::string>& value_names(TracePrior) {
  static const std::vector<std::string> names = {"smoothness", "lds"};
  return names;
}

const std::vector<std::string>& value_names(CategoryKind) {
  static const std::vector<std::string> names = {"categorical", "ordinal", "trial_number", "fixed",
                                                 "free",        "graph",   "circular"};
  return names;
}

const std::vector<std::string>& value_names(Kernel) {
  static const std::vector<std::string> names = {"gaussian", "exponential", "inverse", "nearest"};
  return names;
}

const std::vector<std::string>& value_names(Distance) {
  static const std::vector<std::string> names = {"euclidean", "manhattan", "maximum"};
  return names;
}

const std::vector<std::string>& value_names(StopReason) {
  static const std::vector<std::string> names = {"converged",  "iteration_limit", "interrupted",
                                                 "time_limit", "stalled",         "transformed"};
  return names;
}

namespace {

using Sentences = std::vector<std::string>;

void add(Sentences more, Sentences& sentences) {
  sentences.insert(sentences.end(), std::make_move_iterator(more.begin()),
                   std::make_move_iterator(more.end()));
}

bool has_repeats(const std::vector<std::string>& names) {
  return std::set<std::string>(names.begin(), names.end()).size() != names.size();
}

void check_graph(const std::string& where, const CategorySpec& spec, Sentences& sentences) {
  const auto n_options = static_cast<Index>(spec.graph_options.size());
  if (spec.kind != CategoryKind::graph) {
    if (spec.graph.size() > 0)
      sentences.push_back(
          fmt::format("{}: a graph is given but its kind is {}, must be graph", where, to_text(spec.kind)));
    return;
  }
  if (n_options == 0) sentences.push_back(where + ": kind graph needs `graph` and `graph_options`");
  if (spec.graph.rows() != n_options || spec.graph.cols() != n_options)
    sentences.push_back(fmt::format("{}: `graph` is {} x {}, must be {} x {} as there are {} `graph_options`",
                                    where, spec.graph.rows(), spec.graph.cols(), n_options, n_options,
                                    n_options));
  if (has_repeats(spec.graph_options))
    sentences.push_back(where + ": `graph_options` has a name twice, must name each option once");
  if (!(spec.graph.array() >= 0 && spec.graph.array().isFinite()).all())
    sentences.push_back(where + ": `graph` has negative or non-finite numbers, must be similarities >= 0");
}

void check_category(const CategorySpec& spec, std::size_t position, Sentences& sentences) {
  const std::string where = spec.name.empty() ? fmt::format("category {} (from 0)", position)
                                              : fmt::format("category '{}'", spec.name);
  const bool is_ordinal = spec.kind == CategoryKind::ordinal;
  const bool is_circular = spec.kind == CategoryKind::circular;
  const bool reads_labels = spec.kind != CategoryKind::trial_number && spec.kind != CategoryKind::fixed;
  if (spec.name.empty()) sentences.push_back(where + " has no name, must have one");
  add(range_violations(spec, where + ": "), sentences);
  if (static_cast<std::size_t>(spec.kind) >= value_names(spec.kind).size()) return;

  if (spec.bins == 1) sentences.push_back(where + ": `bins` = 1, must be 0 (keep every value) or >= 2");
  if (spec.bins != 0 && !is_ordinal)
    sentences.push_back(
        fmt::format("{}: bins are given but its kind is {}, must be ordinal", where, to_text(spec.kind)));
  if (spec.width && !has_distances(spec.kind))
    sentences.push_back(
        fmt::format("{}: a width is given but its kind is {}, must be ordinal, trial_number or circular",
                    where, to_text(spec.kind)));
  if (!spec.order.empty() && !is_ordinal && !is_circular)
    sentences.push_back(fmt::format("{}: an order is given but its kind is {}, must be ordinal or circular",
                                    where, to_text(spec.kind)));
  if (spec.period && !is_circular)
    sentences.push_back(
        fmt::format("{}: a period is given but its kind is {}, must be circular", where, to_text(spec.kind)));
  if (is_circular && !spec.period && spec.order.empty())
    sentences.push_back(where + ": kind circular needs a `period`, such as 12 for months or 360 for degrees");
  if (has_repeats(spec.order)) sentences.push_back(where + ": `order` has a value twice");
  if (!spec.order.empty() && spec.columns.size() > 1)
    sentences.push_back(where + ": an order is given with several columns, must be one column");
  if (!spec.columns.empty() && !reads_labels)
    sentences.push_back(
        fmt::format("{}: columns are given but kind {} reads no labels", where, to_text(spec.kind)));
  if (spec.columns.size() > 1 && reads_labels && !is_ordinal)
    sentences.push_back(fmt::format("{}: {} columns are given but its kind is {}; several need kind ordinal",
                                    where, spec.columns.size(), to_text(spec.kind)));
  if (std::count(spec.columns.begin(), spec.columns.end(), "") > 0 || has_repeats(spec.columns))
    sentences.push_back(where + ": `columns` must be names of label columns, each once");
  check_graph(where, spec, sentences);
}

}  // namespace

std::vector<std::string> violations(const FitOptions& options) {
  Sentences sentences = range_violations(options);

  if (options.categories.empty())
    sentences.emplace_back(
        "no category is given, must be at least one, such as `choice=2` or, without labels, "
        "`shared=4:fixed`");
  std::set<std::string> names;
  for (std::size_t k = 0; k < options.categories.size(); ++k) {
    check_category(options.categories[k], k, sentences);
    if (!names.insert(options.categories[k].name).second)
      sentences.push_back(
          fmt::format("category '{}' is given twice, must be given once", options.categories[k].name));
  }
  return sentences;
}

void validate(const FitOptions& options) {
  const std::vector<std::string> found = violations(options);
  if (found.empty()) return;
  throw Error(ErrorKind::bad_option, fmt::format("invalid options: {}", fmt::join(found, "; ")));
}

}  // namespace milcci
