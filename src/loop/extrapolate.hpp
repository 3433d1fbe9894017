// Extrapolated alternating updates with restart (Ang and Gillis 2019): components are carried a little
// further in the direction they moved before the traces are fitted to them. The caller discards the step if
// the objective rose.
#pragma once

#include "label_graphs/design.hpp"

namespace milcci {

/// a + step (b - a), per variant; lengths are left to the caller.
Components between(const Components& a, const Components& b, double step);

class Extrapolation {
 public:
  /// `updated` plus beta times its difference from the update before, at length one. Memberships
  /// that are zero stay zero, and none becomes negative where `is_nonnegative`.
  Components ahead_of(const Design& design, Components updated, bool is_nonnegative, int threads);
  /// What the last `ahead_of` was given.
  const Components& updated() const { return last_; }
  /// Whether the last `ahead_of` moved anything.
  bool is_active() const { return is_active_; }
  /// The last step was good: go a little further next time.
  void encourage();
  /// The last step was discarded: start again, more carefully.
  void restart();

 private:
  Components last_;
  double beta_ = 0.5, ceiling_ = 0.95;
  bool is_active_ = false;
};

}  // namespace milcci
