// Components and traces that somebody else found, as the result of a baseline.
#include <fmt/format.h>

#include <algorithm>

#include "baselines/degrees_of_freedom.hpp"
#include "baselines/methods.hpp"
#include "milcci/error.hpp"
#include "milcci/evaluate.hpp"

namespace milcci {
namespace {

void require_sizes(const TrialSource& trials, const Matrix& components, const std::vector<Matrix>& traces,
                   const Vector& offset) {
  const Index N = trials.n_channels(), P = components.cols();
  const auto refuse = [](const std::string& what) { throw Error(ErrorKind::bad_input, what); };
  if (components.rows() != N || P < 1)
    refuse(
        fmt::format("components are {} x {}, must be one row for each of {} channels, and at least one "
                    "column",
                    components.rows(), P, N));
  if (offset.size() != 0 && offset.size() != N)
    refuse(
        fmt::format("there are {} offsets, must be none or one for each of {} channels", offset.size(), N));
  if (traces.size() != trials.n_trials())
    refuse(fmt::format("there are traces of {} trials, must be {}", traces.size(), trials.n_trials()));
  for (std::size_t m = 0; m < traces.size(); ++m) {
    if (traces[m].rows() != P || traces[m].cols() != trials.n_times(m))
      refuse(fmt::format("the traces of trial {} are {} x {}, must be {} components x {} time points", m + 1,
                         traces[m].rows(), traces[m].cols(), P, trials.n_times(m)));
    if (!traces[m].allFinite()) refuse(fmt::format("the traces of trial {} are not all finite", m + 1));
  }
  if (!components.allFinite() || !offset.allFinite()) refuse("components and offsets must be finite numbers");
}

// The entries of all trials side by side.
baselines::Mask observed_entries(const TrialSource& trials) {
  Index n_samples = 0;
  for (std::size_t m = 0; m < trials.n_trials(); ++m) n_samples += trials.n_times(m);
  baselines::Mask is_observed(trials.n_channels(), n_samples);
  TrialBuffer buffer;
  Index first = 0;
  for (std::size_t m = 0; m < trials.n_trials(); ++m) {
    const auto y = trials.doubles(m, buffer);
    is_observed.middleCols(first, y.cols()) = !y.array().isNaN();
    first += y.cols();
  }
  return is_observed;
}

Matrix one_after_the_other(const std::vector<Matrix>& traces, Index n_samples) {
  Matrix all(n_samples, traces.front().rows());
  for (Index first = 0; const Matrix& phi : traces) {
    all.middleRows(first, phi.cols()) = phi.transpose();
    first += phi.cols();
  }
  return all;
}

}  // namespace

BaselineFit baseline_fit_of(const TrialSource& trials, const Matrix& components, std::vector<Matrix> traces,
                            Vector offset, bool is_nonnegative) {
  require_sizes(trials, components, traces, offset);
  BaselineOptions options;
  options.n_components = static_cast<int>(components.cols());
  const baselines::Clock clock(options);
  BaselineFit fit;
  fit.model.noise.offset = std::move(offset);
  fit.trace_rule.is_nonnegative = is_nonnegative;
  const baselines::Mask is_observed = observed_entries(trials);
  const baselines::Observed observed(is_observed);
  const baselines::NonZero nonzero =
      baselines::count_nonzero(components, one_after_the_other(traces, is_observed.cols()), observed);
  // Dense factors can be mixed without a change, sparse ones only be scaled.
  const auto P = static_cast<double>(nonzero.n_components);
  const bool is_dense = !is_nonnegative && (components.array() != 0).all();
  fit.degrees_of_freedom = std::max(nonzero.count - (is_dense ? P * P : P), 0.0);
  if (fit.model.noise.offset.size() > 0)
    fit.degrees_of_freedom = *fit.degrees_of_freedom + static_cast<double>(observed.n_rows());
  fit.degrees_of_freedom_note =
      fmt::format("non-zero memberships and trace values, less {}",
                  is_dense ? "a rotation and scale of the components" : "a scale per component");
  if (fit.model.noise.offset.size() > 0) fit.degrees_of_freedom_note += ", and an offset per channel";
  baselines::set_components({trials, options, clock, {}}, components, std::move(traces), fit);
  baselines::set_usual_ridge(trials, fit);
  return fit;
}

void scale_trace_ridge(BaselineFit& fitted, double factor) {
  fitted.trace_rule.ridge *= factor;
}

}  // namespace milcci
