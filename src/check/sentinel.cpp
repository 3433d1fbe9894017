// Numbers that mark a missing value in files that know no other way: -999 and its like.
#include <algorithm>
#include <array>
#include <cmath>

#include "check/stages.hpp"

namespace milcci::check_stages {
namespace {

bool is_usual_mark(double value) {
  constexpr std::array kMarks = {-99.0,    999.0,    -999.0,    9999.0,   -9999.0,   99999.0,
                                 -99999.0, 999999.0, -999999.0, -32768.0, 32767.0,   65535.0,
                                 1e20,     -1e20,    1e30,      -1e30,    9.96921e36};
  return std::ranges::any_of(kMarks,
                             [&](double mark) { return std::abs(value - mark) <= 1e-5 * std::abs(mark); });
}

}  // namespace

void look_for_sentinel(const TrialSource& trials, ValueCheck& out) {
  constexpr double kApart = 0.5;  // of the mark: all other values are nearer to zero
  for (const double mark : {out.minimum, out.maximum}) {
    if (!is_usual_mark(mark)) continue;
    double largest_other = 0;
    std::size_t n = 0;
    TrialBuffer buffer;
    for (std::size_t m = 0; m < trials.n_trials(); ++m) {
      const auto y = trials.doubles(m, buffer);
      for (Index t = 0; t < y.cols(); ++t)
        for (Index c = 0; c < y.rows(); ++c) {
          if (y(c, t) == mark)
            ++n;
          else if (!std::isnan(y(c, t)))
            largest_other = std::max(largest_other, std::abs(y(c, t)));
        }
    }
    if (largest_other >= kApart * std::abs(mark)) continue;
    out.sentinel = mark;
    out.n_sentinels = n;
    return;
  }
}

}  // namespace milcci::check_stages
