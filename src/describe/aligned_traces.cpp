// The traces of all trials on one grid of times.
#include <algorithm>
#include <cmath>
#include <limits>

#include "milcci/error.hpp"
#include "milcci/trace_summary.hpp"
#include "util/percentile.hpp"

namespace milcci {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Vector stamps_of(const Model& model, std::size_t trial) {
  const Index T = model.traces[trial].cols();
  return model.times.empty() ? Vector::LinSpaced(T, 0.0, static_cast<double>(T - 1)) : model.times[trial];
}

double usual_step(const std::vector<Vector>& stamps) {
  std::vector<double> steps;
  for (const Vector& times : stamps)
    for (Index t = 1; t < times.size(); ++t) steps.push_back(times(t) - times(t - 1));
  return steps.empty() ? 1.0 : percentile(std::move(steps), 0.5);
}

// Whether, of two trials, one was over when the other began.
bool are_apart(const std::vector<Vector>& stamps) {
  double latest_start = -HUGE_VAL, earliest_end = HUGE_VAL;
  for (const Vector& times : stamps) {
    latest_start = std::max(latest_start, times(0));
    earliest_end = std::min(earliest_end, times(times.size() - 1));
  }
  return latest_start > earliest_end;
}

// Mean of the samples at each place.
Matrix spread_out(const Matrix& trace, const std::vector<Index>& place, Index n_times) {
  Matrix sum = Matrix::Zero(trace.rows(), n_times);
  Vector count = Vector::Zero(n_times);
  for (Index t = 0; t < trace.cols(); ++t) {
    const Index at = place[static_cast<std::size_t>(t)];
    sum.col(at) += trace.col(t), count(at) += 1;
  }
  for (Index t = 0; t < n_times; ++t) {
    if (count(t) > 0)
      sum.col(t) /= count(t);
    else
      sum.col(t).setConstant(kNaN);
  }
  return sum;
}

}  // namespace

AlignedTraces align_traces(const Model& model) {
  std::vector<Vector> stamps;
  for (std::size_t m = 0; m < model.n_trials(); ++m) stamps.push_back(stamps_of(model, m));
  AlignedTraces out;
  out.step = usual_step(stamps);
  out.is_from_start = are_apart(stamps);
  double origin = HUGE_VAL;
  for (Vector& times : stamps) {
    if (out.is_from_start) times.array() -= times(0);
    origin = std::min(origin, times(0));
  }
  // Steps from the origin, and of those that occur, their place. Only what occurs: one late sample must not
  // make a grid of millions.
  constexpr double kMostSteps = 9e15;  // that are whole numbers
  std::vector<double> steps;
  for (const Vector& times : stamps)
    for (const double time : times) steps.push_back(std::round((time - origin) / out.step));
  std::ranges::sort(steps);
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  if (!(steps.back() < kMostSteps))
    throw Error(
        ErrorKind::bad_input,
        "the times of the trials reach over more than 9e15 of their usual step; give them in another way");
  const auto n_times = static_cast<Index>(steps.size());
  out.times.resize(n_times);
  for (Index t = 0; t < n_times; ++t) out.times(t) = origin + out.step * steps[static_cast<std::size_t>(t)];
  for (std::size_t m = 0; m < model.n_trials(); ++m) {
    std::vector<Index> place;
    for (const double time : stamps[m]) {
      const double step = std::round((time - origin) / out.step);
      place.push_back(std::ranges::lower_bound(steps, step) - steps.begin());
      double& on_grid = out.times(place.back());  // has the stamps themselves where they agree with it
      if (std::abs(on_grid - time) < 1e-9 * out.step * (1.0 + std::abs(step))) on_grid = time;
    }
    out.traces.push_back(spread_out(model.traces[m], place, n_times));
  }
  return out;
}

}  // namespace milcci
