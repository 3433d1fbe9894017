// Traces of new trials under a fitted method, and the channels that they predict.
#include <algorithm>
#include <numeric>

#include "baselines/trace_solver.hpp"
#include "evaluate/channel_folds.hpp"
#include "label_graphs/categories.hpp"
#include "milcci/baselines.hpp"
#include "milcci/error.hpp"

namespace milcci {
namespace {

using baselines::TraceSolver;

// The rows of these channels, of vectors that may be empty.
Vector some_of(const Vector& all, const std::vector<Index>& channels) {
  return all.size() > 0 ? Vector(all(channels)) : Vector();
}

// Components for new trials: those of the option of the same name, or the mean over options.
struct Variants {
  std::vector<Matrix> of_option;  // the last one is their mean
  std::vector<std::size_t> of_trial;
};

Variants variants_for(const BaselineFit& fitted, const TrialSource& trials) {
  const FittedCategory& fit = fitted.model.categories.front();
  Variants variants{fit.variants, std::vector<std::size_t>(trials.n_trials(), 0)};
  if (fit.variants.size() == 1) return variants;
  Matrix mean = Matrix::Zero(fit.variants.front().rows(), fit.variants.front().cols());
  for (const Matrix& variant : fit.variants) mean += variant / static_cast<double>(fit.variants.size());
  variants.of_option.push_back(mean);
  for (std::size_t m = 0; m < trials.n_trials(); ++m) {
    const std::string name = option_name(fit.category.spec, trials, m);
    const auto& names = fit.category.options;
    variants.of_trial[m] =
        static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  }
  return variants;
}

std::vector<Matrix> infer(const BaselineFit& fitted, const TrialSource& trials, const Variants& variants,
                          const std::vector<Index>& channels) {
  const TraceRule& rule = fitted.trace_rule;
  TraceRule of_channels = rule;
  of_channels.weight = some_of(rule.weight, channels);
  const Vector offset = some_of(fitted.model.noise.offset, channels);
  std::vector<TraceSolver> solvers;
  for (const Matrix& variant : variants.of_option)
    solvers.emplace_back(variant(channels, Eigen::all), offset, of_channels);
  std::vector<Matrix> traces;
  TrialBuffer buffer;
  for (std::size_t m = 0; m < trials.n_trials(); ++m) {
    const Matrix y = trials.doubles(m, buffer)(channels, Eigen::all);
    const TraceSolver& solver = solvers[variants.of_trial[m]];
    traces.push_back(rule.shapes.empty() ? solver.solve(y) : solver.solve_shapes(y, rule.shapes));
  }
  return traces;
}

void require_traces(const BaselineFit& fitted, const TrialSource& trials) {
  if (!fitted.trace_rule.why_impossible.empty())
    throw Error(ErrorKind::bad_input, to_text(fitted.method) + ": " + fitted.trace_rule.why_impossible);
  if (trials.n_channels() != fitted.model.n_channels())
    throw Error(ErrorKind::bad_input, "finding traces of new trials: the trials have " +
                                          std::to_string(trials.n_channels()) + " channels, the fit " +
                                          std::to_string(fitted.model.n_channels()));
}

}  // namespace

std::vector<Matrix> infer_traces(const BaselineFit& fitted, const TrialSource& trials,
                                 const std::vector<Index>& channels) {
  require_traces(fitted, trials);
  return infer(fitted, trials, variants_for(fitted, trials), channels);
}

std::vector<Matrix> infer_traces(const BaselineFit& fitted, const TrialSource& trials) {
  std::vector<Index> all(static_cast<std::size_t>(trials.n_channels()));
  std::iota(all.begin(), all.end(), Index{0});
  return infer_traces(fitted, trials, all);
}

CoSmoothing cosmooth(const BaselineFit& fitted, const TrialSource& trials,
                     const CoSmoothingOptions& options) {
  require_traces(fitted, trials);
  const Variants variants = variants_for(fitted, trials);
  return predict_channels(
      fitted.model, Transform::none, trials, options, [&](const Channels& in, const Channels& out) {
        return [&, out, traces = infer(fitted, trials, variants, in)](std::size_t m) {
          Matrix predictions = variants.of_option[variants.of_trial[m]](out, Eigen::all) * traces[m];
          if (fitted.model.noise.offset.size() > 0) predictions.colwise() += fitted.model.noise.offset(out);
          return predictions;
        };
      });
}

}  // namespace milcci
