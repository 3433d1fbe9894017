// Trials in memory, whoever owns it.
#pragma once

#include <memory>
#include <vector>

#include "milcci/trial_source.hpp"

namespace milcci {

class MemoryStore : public TrialStore {
 public:
  /// `owner` keeps the memory; nullptr if it outlives the store.
  MemoryStore(Index n_channels, std::vector<BorrowedTrial> trials, std::shared_ptr<const void> owner);
  std::size_t n_trials() const override { return trials_.size(); }
  Index n_channels() const override { return n_channels_; }
  Index n_times(std::size_t trial) const override { return trials_[trial].n_times; }
  bool is_float(std::size_t trial) const override {
    return std::holds_alternative<const float*>(trials_[trial].values);
  }
  TrialValues values(std::size_t trial, TrialBuffer& buffer) const override;

 private:
  Index n_channels_;
  std::vector<BorrowedTrial> trials_;
  std::shared_ptr<const void> owner_;
};

}  // namespace milcci
