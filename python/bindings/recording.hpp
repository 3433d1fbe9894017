// Trials as Python holds them: a source of trials, be it memory of NumPy or of the library's own.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "milcci/trial_source.hpp"
#include "milcci/trials.hpp"

namespace milcci::python {

class Recording {
 public:
  /// Trials in memory of somebody else.
  explicit Recording(TrialSource source, std::vector<std::string> told)
      : notes(std::move(told)), source_(std::move(source)) {}
  explicit Recording(Trials&& trials, std::vector<std::string> told = {})
      : notes(std::move(told)),
        kept_(std::make_shared<const Trials>(std::move(trials))),
        source_(*kept_),
        is_all_kept_(true) {}

  const TrialSource& source() const { return source_; }
  /// The same memory in other words: some of the trials, or under other labels.
  Recording with(TrialSource source) const;
  /// A copy of all values.
  Trials copy() const;
  /// A copy of all but the values.
  Trials without_values() const;
  /// Calls action(trials), which are copied only if they are somebody else's.
  template <class Action>
  void use_trials(Action&& action) const {
    is_all_kept_ ? action(*kept_) : action(copy());
  }

  std::vector<std::string> notes;  ///< what was understood when it was read, a sentence each

 private:
  std::shared_ptr<const Trials> kept_;  ///< what the source refers to, if that is ours
  TrialSource source_;
  bool is_all_kept_ = false;  ///< the source is `kept_`, whole and with its labels
};

}  // namespace milcci::python
