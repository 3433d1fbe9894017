// The steps as they are written on the command line.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>

#include "core/nearest_name.hpp"
#include "milcci/error.hpp"
#include "prepare/steps.hpp"

namespace milcci {

namespace {

[[noreturn]] void refuse(const std::string& option, const std::string& text, const std::string& expected) {
  throw Error(ErrorKind::bad_option, fmt::format("`{}` = {}: {}", option, text, expected));
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

template <class Number>
bool parse(const std::string& text, Number& value) {
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  return error == std::errc{} && stopped == end;
}

template <class Step>
void refuse_invalid(const std::string& option, const std::string& text, const Step& step) {
  const std::vector<std::string> problems = prepare_steps::violations(step);
  if (!problems.empty()) refuse(option, text, fmt::format("{}", fmt::join(problems, "; ")));
}

}  // namespace

const std::vector<std::string>& value_names(ScaleScope) {
  static const std::vector<std::string> names = {"channel", "all", "label"};
  return names;
}

const std::vector<std::string>& value_names(ScaleMethod) {
  static const std::vector<std::string> names = {"sqrt", "log1p", "tanh", "zscore", "range"};
  return names;
}

BinLabel parse_bin_label(const std::string& text) {
  constexpr const char* kExpected =
      "must be a label column and increasing numbers, such as pupil=0.3,0.52, or a number of bins, such as "
      "pupil=quantiles:3";
  const std::size_t equals = text.rfind('=');
  if (equals == std::string::npos || equals == 0) refuse("bin_label", text, kExpected);
  BinLabel step{.column = text.substr(0, equals)};
  const std::string bins = text.substr(equals + 1), kQuantiles = "quantiles:";
  if (bins.starts_with(kQuantiles)) {
    if (!parse(bins.substr(kQuantiles.size()), step.n_quantiles) || step.n_quantiles == 0)
      refuse("bin_label", text, kExpected);
    refuse_invalid("bin_label", text, step);
    return step;
  }
  for (const std::string& part : split(bins)) {
    double edge = 0;
    if (!parse(part, edge)) refuse("bin_label", text, kExpected);
    step.edges.push_back(edge);
  }
  refuse_invalid("bin_label", text, step);
  return step;
}

DropTrials parse_drop_trials(const std::string& text) {
  const std::size_t equals = text.find('=');
  DropTrials step{.column = text.substr(0, equals)};
  if (step.column.empty())
    refuse("drop_trials", text, "must be a label column, or one with values, such as confidence=0");
  if (equals != std::string::npos) step.values = split(text.substr(equals + 1));
  return step;
}

SmoothStep parse_smooth(const std::string& text) {
  SmoothStep step;
  const std::size_t colon = text.find(':');
  const bool has_window = colon != std::string::npos;
  const bool is_read =
      parse(text.substr(0, colon), step.sigma) && (!has_window || parse(text.substr(colon + 1), step.window));
  if (!is_read || (has_window && step.window == 0))
    refuse("smooth", text,
           "must be the width of a Gaussian, in the unit of time, such as 0.02, or with the window that is "
           "used of it, such as 0.02:0.1");
  refuse_invalid("smooth", text, step);
  return step;
}

ScaleStep parse_scale(const std::string& text) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  const std::string method = text.substr(0, colon), scope = text.substr(std::min(colon + 1, text.size()));
  const std::vector<std::string>& names = value_names(ScaleMethod{});
  const auto found = std::find(names.begin(), names.end(), method);
  if (found == names.end())
    refuse("scale", text, fmt::format("there is no such scaling{}", suggestion(method, names)));
  ScaleStep step{.method = static_cast<ScaleMethod>(found - names.begin())};
  const std::string kLabel = "label=";
  if (scope == "all") {
    step.scope = ScaleScope::all;
  } else if (scope.starts_with(kLabel) && scope.size() > kLabel.size()) {
    step.scope = ScaleScope::label;
    step.column = scope.substr(kLabel.size());
  } else if (scope != "channel" && colon != text.size()) {
    refuse("scale", text, "behind the colon must be channel, all, or label=NAME");
  }
  const bool is_pointwise = step.method < ScaleMethod::zscore;
  if (is_pointwise && colon != text.size())
    refuse("scale", text,
           fmt::format("{} takes every value by itself; leave out {}", method, text.substr(colon)));
  return step;
}

namespace prepare_steps {

std::vector<std::string> violations(const BinLabel& step) {
  std::vector<std::string> sentences = range_violations(step);
  const std::vector<double>& edges = step.edges;
  const bool is_increasing =
      std::adjacent_find(edges.begin(), edges.end(), std::greater_equal<>()) == edges.end();
  const bool is_finite =
      std::all_of(edges.begin(), edges.end(), [](double edge) { return std::isfinite(edge); });
  if (!is_increasing || !is_finite) sentences.emplace_back("`edges` must be finite and increasing");
  if (edges.empty() && step.n_quantiles == 0)
    sentences.emplace_back("there is nothing to cut by, give `edges` or `n_quantiles`");
  if (step.n_quantiles == 1) sentences.emplace_back("`n_quantiles` = 1, must be at least 2");
  return sentences;
}

std::string to_text(const BinLabel& step) {
  if (step.n_quantiles > 0) return fmt::format("{}=quantiles:{}", step.column, step.n_quantiles);
  return fmt::format("{}={}", step.column, fmt::join(step.edges, ","));
}

std::string to_text(const DropTrials& step) {
  return step.values.empty() ? step.column : fmt::format("{}={}", step.column, fmt::join(step.values, ","));
}

std::string to_text(const SmoothStep& step) {
  return step.window > 0 ? fmt::format("{}:{}", step.sigma, step.window) : fmt::format("{}", step.sigma);
}

std::string to_text(const ScaleStep& step) {
  const std::string& method = value_names(step.method)[static_cast<std::size_t>(step.method)];
  if (step.method < ScaleMethod::zscore) return method;
  return method + (step.scope == ScaleScope::channel ? ":channel"
                   : step.scope == ScaleScope::all   ? ":all"
                                                     : ":label=" + step.column);
}

}  // namespace prepare_steps
}  // namespace milcci
