#include "milcci/prepare.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/field_checks.hpp"
#include "core/history.hpp"
#include "milcci/error.hpp"
#include "prepare/steps.hpp"

namespace milcci {
namespace {

template <class Step>
const std::vector<Step>& all(const std::vector<Step>& steps) {
  return steps;
}
template <class Step>
std::vector<Step> all(const std::optional<Step>& step) {
  return step ? std::vector<Step>{*step} : std::vector<Step>{};
}

}  // namespace

std::vector<std::string> violations(const PrepareOptions& options) {
  std::vector<std::string> sentences;
  visit_fields(options, [&](const Field& field, const auto& steps) {
    if constexpr (!std::is_same_v<std::decay_t<decltype(steps)>, bool>)
      for (const auto& step : all(steps))
        for (const std::string& sentence : prepare_steps::violations(step))
          sentences.push_back(fmt::format("`{}`: {}", field.name, sentence));
  });
  return sentences;
}

std::vector<std::string> prepare(Trials& trials, const PrepareOptions& options) {
  using namespace prepare_steps;
  const std::vector<std::string> problems = violations(options);
  if (!problems.empty()) throw Error(ErrorKind::bad_option, fmt::format("{}", fmt::join(problems, "; ")));
  std::vector<std::string> notes;
  const auto done = [&](const std::string& name, const std::string& setting, const std::string& note) {
    notes.push_back(note);
    add_history(trials, name, setting.empty() ? Json::object() : Json{{"setting", setting}}, {note});
  };
  if (options.number_trials) done("number_trials", "", number_trials(trials));
  for (const BinLabel& step : options.bin_label) done("bin_label", to_text(step), bin_label(trials, step));
  for (const BlockLabel& step : options.block_label)
    done("block_label", step.column, block_label(trials, step));
  for (const DropTrials& step : options.drop_trials)
    done("drop_trials", to_text(step), drop_trials(trials, step));
  if (options.smooth) done("smooth", to_text(*options.smooth), smooth(trials, *options.smooth));
  for (const ScaleStep& step : options.scale) done("scale", to_text(step), scale(trials, step));
  return notes;
}

}  // namespace milcci
