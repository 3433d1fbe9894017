#include "milcci/prepare.hpp"

#include "core/history.hpp"
#include "prepare/steps.hpp"

namespace milcci {

std::vector<std::string> prepare(Trials& trials, const PrepareOptions& options) {
  using namespace prepare_steps;
  std::vector<std::string> notes;
  const auto done = [&](const std::string& name, const std::string& setting, const std::string& note) {
    notes.push_back(note);
    add_history(trials, name, setting.empty() ? Json::object() : Json{{"setting", setting}}, {note});
  };
  if (options.number_trials) done("number_trials", "", number_trials(trials));
  for (const BinLabel& step : options.bin_labels) done("bin_label", to_text(step), bin_label(trials, step));
  for (const BlockLabel& step : options.block_labels)
    done("block_label", step.column, block_label(trials, step));
  for (const DropTrials& step : options.drop_trials)
    done("drop_trials", to_text(step), drop_trials(trials, step));
  if (options.smooth) done("smooth", to_text(*options.smooth), smooth(trials, *options.smooth));
  for (const ScaleStep& step : options.scale) done("scale", to_text(step), scale(trials, step));
  return notes;
}

}  // namespace milcci
