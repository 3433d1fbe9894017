// The comparison of methods in a report: results of `milcci compare`, checked, and without components.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "milcci/trial_source.hpp"
#include "report/report_parts.hpp"

namespace milcci {
namespace {

constexpr ErrorKind kKind = ErrorKind::bad_input;
constexpr const char* kWhat = "the comparison of methods";
constexpr const char* kComparisonFormat = "milcci comparison";
constexpr int kNewestVersion = 1;
constexpr const char* kAdvice = "give the results of milcci compare";
constexpr const char* kSameTrials =
    "compare methods on the trials that the model was fitted to, prepared in the same way";
// Sums over the same values in the same order differ by rounding only; values that were written as text and
// read back may have lost digits.
constexpr double kSameSum = 1e-6;

[[noreturn]] void refuse(const std::string& what_is_wrong, const std::string& advice) {
  throw Error(kKind, fmt::format("{} {}; {}", kWhat, what_is_wrong, advice));
}

Json parsed(const std::string& text) {
  try {
    return parse_json(text, kWhat, kKind);
  } catch (const Error& error) {
    throw Error(kKind, fmt::format("{}; {}", error.what(), kAdvice));
  }
}

void check_text_or_null(JsonObject& object, const std::string& key) {
  const Json& value = *object.find(key);
  if (!value.is_null() && !value.is_string()) object.fail(key, value, "a text or null");
}

void check_numbers(const Json& json, const std::string& what, const std::vector<const char*>& keys) {
  JsonObject object(json, what, kKind, MissingKey::is_an_error);
  std::optional<double> number;
  for (const char* key : keys) object.read(key, number);
}

void check_counts(const Json& json, const std::string& what, const std::vector<const char*>& keys) {
  JsonObject object(json, what, kKind, MissingKey::is_an_error);
  std::uint64_t count = 0;
  for (const char* key : keys) object.read(key, count);
}

void check_distances(const Json& json, const std::string& what) {
  JsonObject distances(json, what, kKind, MissingKey::is_an_error);
  for (const char* key : {"same_component", "different_within", "different_across"}) {
    const Json& of_kind = *distances.find(key);
    const std::string which = fmt::format("{}.{}", what, key);
    check_counts(of_kind, which, {"n_pairs"});
    check_numbers(of_kind, which, {"mean"});
    std::vector<double> quantiles;
    JsonObject(of_kind, which, kKind, MissingKey::is_an_error).read("quantiles", quantiles);
    if (!quantiles.empty() && quantiles.size() != 5)
      distances.fail(key, of_kind, "with five quantiles, or none");
  }
}

void check_trial_errors(JsonObject& method, std::size_t n_trials) {
  std::vector<double> errors;
  method.read("trial_errors", errors);
  if (!errors.empty() && errors.size() != n_trials)
    method.fail("trial_errors", Json(errors.size()), fmt::format("{} numbers, one per trial", n_trials));
}

// All that a page needs is there and of the right type.
void check_method(const Json& json, const std::string& what, std::size_t n_trials) {
  JsonObject method(json, what, kKind, MissingKey::is_an_error);
  std::string name;
  method.read("name", name);
  for (const char* key : {"failed", "tuned", "stopped", "cosmoothing_note", "degrees_of_freedom_note"})
    check_text_or_null(method, key);
  check_counts(json, what, {"n_components"});
  check_numbers(json, what,
                {"added_noise", "seconds", "peak_memory", "r2", "relative_error", "cosmoothing_r2", "aic",
                 "bic", "hqc", "degrees_of_freedom", "sparsity"});
  std::vector<std::string> notes;
  method.read("notes", notes);
  for (const char* key : {"component_correlation", "trace_correlation"}) {
    const Json& correlation = *method.find(key);
    if (!correlation.is_null())
      check_numbers(correlation, fmt::format("{}.{}", what, key), {"mean", "min", "p05"});
  }
  check_distances(*method.find("distances"), what + ".distances");
  const Json& spread = *method.find("spread");
  if (!spread.is_object()) method.fail("spread", spread, "an object {...}");
  for (const auto& [score, of_score] : spread.items())
    check_numbers(of_score, fmt::format("{}.spread.{}", what, score),
                  {"n", "mean", "sd", "min", "max", "rank_mean", "rank_min", "rank_max"});
  check_trial_errors(method, n_trials);
}

void check_format(const Json& json) {
  if (!json.is_object()) refuse(fmt::format("is {}, must be an object {{...}}", describe(json)), kAdvice);
  const auto format = json.find("format");
  if (format == json.end()) refuse("does not say its format", kAdvice);
  if (*format != kComparisonFormat)
    refuse(fmt::format("has the format {}, expected \"{}\"", describe(*format), kComparisonFormat), kAdvice);
  int version = 0;
  JsonObject(json, kWhat, kKind, MissingKey::is_an_error).read("format_version", version);
  if (version > kNewestVersion)
    refuse(fmt::format("has version {} of its format, and this milcci knows {}", version, kNewestVersion),
           "make the report with the milcci that made the comparison");
}

void check_size(JsonObject& comparison, const std::string& key, const std::string& noun,
                std::size_t expected) {
  std::uint64_t found = 0;
  comparison.read(key, found);
  if (found != expected)
    refuse(fmt::format("is of {} {}, and the model of {}", found, noun, expected), kSameTrials);
}

// Of the observed values: how many, and the sum of their squares as they are and as the model describes them.
struct Extent {
  double n_observed = 0, squares = 0, transformed_squares = 0;
};

Extent extent_of(const Model& model, const TrialSource& trials) {
  Extent extent;
  TrialBuffer buffer;
  for (std::size_t m = 0; m < trials.n_trials(); ++m) {
    const auto values = trials.doubles(m, buffer);
    const auto is_missing = values.array().isNaN().eval();
    const Matrix known = is_missing.select(0.0, values);
    extent.n_observed += static_cast<double>(values.size() - is_missing.count());
    extent.squares += known.squaredNorm();
    extent.transformed_squares += known.array().tanh().matrix().squaredNorm();
  }
  if (model.transform == Transform::none) extent.transformed_squares = extent.squares;
  return extent;
}

bool is_same_sum(double a, double b) {
  return std::abs(a - b) <= kSameSum * std::max(a, b);
}

// Of the data that a method was fitted to, the squared error over the relative one; NaN if it cannot be told.
double squares_seen_by(const Json& method) {
  const Json error = method.value("squared_error", Json()), relative = method.value("relative_error", Json());
  if (!error.is_number() || !relative.is_number() || method.value("added_noise", 0.0) > 0) return NAN;
  return error.get<double>() / relative.get<double>();
}

// Trials of other data may be as many, and of as many channels.
void check_data(const Json& comparison, const Model& model, const TrialSource* trials) {
  const double found = comparison.value("n_observed", 0.0);
  if (!trials) {
    double most = 0;
    for (const Matrix& trace : model.traces)
      most += static_cast<double>(trace.cols()) * static_cast<double>(model.n_channels());
    if (found > most)
      refuse(fmt::format("is of {:.0f} observed values, and the trials of the model have {:.0f} at most",
                         found, most),
             kSameTrials);
    return;
  }
  const Extent extent = extent_of(model, *trials);
  if (found != extent.n_observed)
    refuse(fmt::format("is of {:.0f} observed values, and the trials have {:.0f}", found, extent.n_observed),
           kSameTrials);
  for (const Json& method : comparison["methods"]) {
    const double squares = squares_seen_by(method);
    if (!std::isfinite(squares)) continue;
    if (is_same_sum(squares, extent.squares) || is_same_sum(squares, extent.transformed_squares)) return;
    refuse(fmt::format("is of other data: by the errors of {} the squares of its values sum to {:.6g}, and "
                       "those of the trials to {:.6g}",
                       describe(method["name"]), squares, extent.squares),
           kSameTrials);
  }
}

}  // namespace

Json report_comparison(const Model& model, const TrialSource* trials, const std::string& text) {
  if (text.empty()) return nullptr;
  Json json = parsed(text);
  check_format(json);
  JsonObject comparison(json, kWhat, kKind, MissingKey::is_an_error);
  check_size(comparison, "n_trials", "trials", model.n_trials());
  check_size(comparison, "n_channels", "channels", static_cast<std::size_t>(model.n_channels()));
  check_numbers(json, kWhat, {"n_observed"});
  check_counts(json, kWhat, {"n_held_out", "n_components", "folds", "repeats"});
  bool is_interrupted = false;
  comparison.read("interrupted", is_interrupted);
  comparison.find_array("methods");
  for (Json& method : json["methods"]) {
    if (!method.is_object()) refuse(fmt::format("has a method {}", describe(method)), "make it again");
    // Results that were printed have neither; a file has both.
    method.erase("components");
    if (!method.contains("trial_errors")) method["trial_errors"] = Json::array();
    check_method(method, fmt::format("{}, method {}", kWhat, describe(method.value("name", Json()))),
                 model.n_trials());
  }
  check_data(json, model, trials);
  json.erase("runs");
  return json;
}

}  // namespace milcci
