// Trials recorded in two sessions, each with channels that the other lacks.
#pragma once

#include <limits>

#include "milcci/trials.hpp"

namespace milcci::testing {

/// Trials alternate between the sessions in pairs. The first lacks the first channels, the second
/// the last ones, and `in_common` between them are in both.
inline Trials in_two_sessions(Trials trials, Index in_common) {
  for (std::size_t m = 0; m < trials.values.size(); ++m) {
    Matrix& y = trials.values[m];
    const Index apart = (y.rows() - in_common) / 2;
    (m / 2 % 2 == 0 ? y.topRows(apart) : y.bottomRows(apart))
        .setConstant(std::numeric_limits<double>::quiet_NaN());
  }
  return trials;
}

}  // namespace milcci::testing
