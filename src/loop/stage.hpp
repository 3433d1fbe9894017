// One stage of the schedule: how long the loop runs, how exactly it solves, when it stops.
#pragma once

#include "loop/calibration.hpp"
#include "solvers/chain.hpp"

namespace milcci {

struct Stage {
  int number = 1;
  double sparsity = 0.01;
  int max_iterations = 500;
  double tolerance = 1e-6;
  double component_tolerance = 1e-3;
  /// How exactly non-negative traces are solved within an iteration: loosely, because the
  /// components change right after, and each solve starts where the last one ended.
  ChainOptions traces = {.tolerance = 1e-4, .max_sweeps = 100};
  bool is_accelerated = true;                ///< by extrapolation
  const Calibration* calibration = nullptr;  ///< penalties that were estimated; null = by the options
  int rounds = 2;                            ///< sweeps of a component update over variants and categories
  /// The weights of sparsity and consistency are those of the state in every iteration, so the stage
  /// lowers F as the ruler measures it. Otherwise they stay as they are where the stage begins.
  bool weights_follow = false;
};

}  // namespace milcci
