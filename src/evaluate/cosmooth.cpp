// Co-smoothing: how well channels are predicted from other channels through the components.
//
//   for each fold f of the channels, for each trial m:
//     Phi_m = the traces of the channels outside f, components A fixed
//     the channels n in f are predicted as a_n Phi_m
//
// How the predictions are scored: channel_folds.cpp.
//
// Channels outside a fold are a smaller problem of the same form, without gaps that the data do not have. A
// fold costs one trace update and a copy of its channels.
#include <memory>

#include "data/check_trials.hpp"
#include "data/trial_data.hpp"
#include "evaluate/channel_folds.hpp"
#include "label_graphs/design.hpp"
#include "milcci/evaluate.hpp"
#include "transform/fixed_components.hpp"

namespace milcci {
namespace {

// The traces of all trials, found from the channels `in`.
std::vector<Matrix> traces_from(const FixedComponents& fixed, const FitOptions& fitted_with,
                                const TrialSource& trials, const Channels& in) {
  State state;
  for (const std::vector<Matrix>& variants : fixed.components) {
    state.components.emplace_back();
    for (const Matrix& variant : variants) state.components.back().push_back(variant(in, Eigen::all));
  }
  TrialData data(trials.some_channels(in), fitted_with.transform);
  data.set_frame(fixed.frame.of(in));
  find_traces(fitted_with, fixed, data, state);
  return std::move(state.traces);
}

PredictTrial predict(const FixedComponents& fixed, const FitOptions& fitted_with, const TrialSource& trials,
                     const Channels& in, const Channels& out) {
  // Shared: a function object may be copied.
  const auto traces =
      std::make_shared<const std::vector<Matrix>>(traces_from(fixed, fitted_with, trials, in));
  std::vector<Matrix> loadings;
  for (std::size_t l = 0; l < fixed.design.labels.size(); ++l)
    loadings.push_back(loading(fixed.design, fixed.components, l)(out, Eigen::all));
  return [&fixed, traces, loadings = std::move(loadings), frame = fixed.frame.of(out)](std::size_t m) {
    const Matrix& A = loadings[static_cast<std::size_t>(fixed.design.label_of_trial[m])];
    Matrix predictions = A * (*traces)[m].transpose();
    if (frame.weight.size() > 0) predictions.array().colwise() /= frame.weight.array();
    if (frame.offset.size() > 0) predictions.colwise() += frame.offset;
    return predictions;
  };
}

}  // namespace

CoSmoothing cosmooth(const Model& model, const FitOptions& fitted_with, const TrialSource& trials,
                     const CoSmoothingOptions& options) {
  std::vector<std::string> warnings = check_trials(trials);
  const FixedComponents fixed = fix_components(model, trials);
  warnings.insert(warnings.end(), fixed.warnings.begin(), fixed.warnings.end());
  CoSmoothing result = predict_channels(
      model, fitted_with.transform, trials, options,
      [&](const Channels& in, const Channels& out) { return predict(fixed, fitted_with, trials, in, out); });
  result.warnings = std::move(warnings);
  return result;
}

}  // namespace milcci
