// Trials left out by their label.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "core/select_trials.hpp"
#include "milcci/error.hpp"
#include "prepare/steps.hpp"

namespace milcci::prepare_steps {

namespace {

// Numbers are compared as such, so that 0 and 0.0 are the same.
bool is_value(const LabelColumn& column, std::size_t trial, const std::string& value) {
  if (!column.is_numeric()) return column.text(trial) == value;
  double number = 0;
  const char* end = value.data() + value.size();
  const auto [stopped, error] = std::from_chars(value.data(), end, number);
  if (error != std::errc{} || stopped != end)
    throw Error(
        ErrorKind::bad_option,
        fmt::format("`drop_trials` = {}={}: the column holds numbers, must be one", column.name, value));
  return column.number(trial) == number;
}

}  // namespace

std::string drop_trials(Trials& trials, const DropTrials& step) {
  const LabelColumn& column = find_column(trials, "drop_trials", step.column);
  std::vector<std::size_t> kept;
  for (std::size_t m = 0; m < trials.n_trials(); ++m) {
    const bool is_dropped =
        step.values.empty()
            ? column.is_missing(m)
            : std::any_of(step.values.begin(), step.values.end(),
                          [&](const std::string& value) { return is_value(column, m, value); });
    if (!is_dropped) kept.push_back(m);
  }
  const std::size_t n_all = trials.n_trials();
  const std::string why = step.values.empty()
                              ? step.column + " is missing"
                              : fmt::format("{} is {}", step.column, fmt::join(step.values, " or "));
  if (kept.empty())
    throw Error(
        ErrorKind::bad_option,
        fmt::format("`drop_trials` = {}: that is all {} trials, none would be left", to_text(step), n_all));
  select_trials(trials, kept);
  return fmt::format("left out {} of {} trials: {}", n_all - kept.size(), n_all, why);
}

}  // namespace milcci::prepare_steps
