// The steps of `prepare`, each with what it did as a sentence.
#pragma once

#include <string>
#include <vector>

#include "core/field_checks.hpp"
#include "milcci/prepare.hpp"

namespace milcci::prepare_steps {

std::string number_trials(Trials& trials);
std::string bin_label(Trials& trials, const BinLabel& step);
std::string block_label(Trials& trials, const BlockLabel& step);
std::string drop_trials(Trials& trials, const DropTrials& step);
std::string smooth(Trials& trials, const SmoothStep& step);
std::string scale(Trials& trials, const ScaleStep& step);

/// The label column. Throws Error(bad_option) that names the option and the columns there are.
const LabelColumn& find_column(const Trials& trials, const std::string& option, const std::string& name);
/// Adds a label column. Throws Error(bad_option) if there is one of this name.
void add_column(Trials& trials, const std::string& option, LabelColumn column);

/// What is wrong with a step, whatever the trials: one sentence each.
template <class Step>
std::vector<std::string> violations(const Step& step) {
  return range_violations(step);
}
std::vector<std::string> violations(const BinLabel& step);

/// The step as it is written behind its flag.
std::string to_text(const BinLabel& step);
std::string to_text(const DropTrials& step);
std::string to_text(const SmoothStep& step);
std::string to_text(const ScaleStep& step);

}  // namespace milcci::prepare_steps
