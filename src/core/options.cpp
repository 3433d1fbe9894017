// Names of enumeration values, and what makes options invalid.
#include "milcci/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

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

const std::vector<std::string>& value_names(TracePrior) {
  static const std::vector<std::string> names = {"smoothness", "lds"};
  return names;
}

const std::vector<std::string>& value_names(CategoryKind) {
  static const std::vector<std::string> names = {"categorical", "ordinal", "trial_number",
                                                 "fixed",       "free",    "graph"};
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
  static const std::vector<std::string> names = {"converged", "iteration_limit", "interrupted", "stalled",
                                                 "transformed"};
  return names;
}

namespace {

using Sentences = std::vector<std::string>;

void check_number(const std::string& what, double value, double minimum, double maximum,
                  Sentences& sentences) {
  // Written so that NaN fails.
  if (value >= minimum && value <= maximum) return;
  constexpr double kNoLimit = 1e300;
  sentences.push_back(maximum < kNoLimit
                          ? fmt::format("{} = {}, must be between {} and {}", what, value, minimum, maximum)
                          : fmt::format("{} = {}, must be finite and >= {}", what, value, minimum));
}

template <class T>
void check_value(const std::string& what, const T& value, double minimum, double maximum,
                 Sentences& sentences) {
  if constexpr (std::is_enum_v<T>) {
    const auto& names = value_names(value);
    if (static_cast<std::size_t>(value) >= names.size())
      sentences.push_back(fmt::format("{} has the unknown value {}, must be one of {}", what,
                                      static_cast<int>(value), fmt::join(names, ", ")));
  } else if constexpr (std::is_same_v<T, std::optional<double>>) {
    if (value) check_number(what, *value, minimum, maximum, sentences);
  } else if constexpr (!std::is_same_v<T, bool>) {
    check_number(what, static_cast<double>(value), minimum, maximum, sentences);
  }
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
                                              : fmt::format("category `{}`", spec.name);
  const bool is_ordinal = spec.kind == CategoryKind::ordinal;
  const bool has_distances = is_ordinal || spec.kind == CategoryKind::trial_number;
  const bool reads_labels = spec.kind != CategoryKind::trial_number && spec.kind != CategoryKind::fixed;
  const auto check = [&](const char* member, const auto& value, double minimum, double maximum) {
    check_value(fmt::format("{}: `{}`", where, member), value, minimum, maximum, sentences);
  };
  constexpr double kMostComponents = 1e5, kMostBins = 1e6;

  if (spec.name.empty()) sentences.push_back(where + " has no name, must have one");
  check("n_components", spec.n_components, 1, kMostComponents);
  check("kind", spec.kind, 0, 0);
  check("kernel", spec.kernel, 0, 0);
  check("distance", spec.distance, 0, 0);
  check("neighbours", spec.neighbours, 1, kMostBins);
  check("bins", spec.bins, 0, kMostBins);
  if (static_cast<std::size_t>(spec.kind) >= value_names(spec.kind).size()) return;

  if (spec.bins == 1) sentences.push_back(where + ": `bins` = 1, must be 0 (keep every value) or >= 2");
  if (spec.width && !(*spec.width > 0 && std::isfinite(*spec.width)))
    sentences.push_back(fmt::format("{}: `width` = {}, must be finite and > 0", where, *spec.width));
  if (spec.bins != 0 && !is_ordinal)
    sentences.push_back(
        fmt::format("{}: bins are given but its kind is {}, must be ordinal", where, to_text(spec.kind)));
  if (spec.width && !has_distances)
    sentences.push_back(
        fmt::format("{}: a width is given but its kind is {}, must be ordinal or trial_number", where,
                    to_text(spec.kind)));
  if (!spec.order.empty() && !is_ordinal)
    sentences.push_back(
        fmt::format("{}: an order is given but its kind is {}, must be ordinal", where, to_text(spec.kind)));
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
  Sentences sentences;
  visit_fields(options, [&](const Field& field, const auto& value) {
    check_value(fmt::format("`{}`", field.name), value, field.minimum, field.maximum, sentences);
  });

  if (options.categories.empty())
    sentences.emplace_back(
        "no category is given, must be at least one, such as `choice=2` or, without labels, "
        "`shared=4:fixed`");
  std::set<std::string> names;
  for (std::size_t k = 0; k < options.categories.size(); ++k) {
    check_category(options.categories[k], k, sentences);
    if (!names.insert(options.categories[k].name).second)
      sentences.push_back(
          fmt::format("category `{}` is given twice, must be given once", options.categories[k].name));
  }
  return sentences;
}

void validate(const FitOptions& options) {
  const std::vector<std::string> found = violations(options);
  if (found.empty()) return;
  throw Error(ErrorKind::bad_option, fmt::format("invalid options: {}", fmt::join(found, "; ")));
}

}  // namespace milcci
