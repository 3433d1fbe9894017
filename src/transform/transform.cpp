// Traces of new trials: one trace update with the components held.
#include "fit/normalise.hpp"
#include "milcci/fit.hpp"
#include "prepare/check_trials.hpp"
#include "prepare/trial_data.hpp"
#include "transform/held_components.hpp"

namespace milcci {

TransformResult transform(const Model& model, const FitOptions& fitted_with, const Trials& trials) {
  TransformResult result;
  result.warnings = check_trials(trials);
  HeldComponents held = hold_components(model, trials);
  result.warnings.insert(result.warnings.end(), held.warnings.begin(), held.warnings.end());
  result.model = model;
  result.model.times = trials.times;
  result.model.categories = std::move(held.categories);

  const TrialData data(trials, fitted_with.tanh);
  State state;
  state.components = std::move(held.components);
  const Statistics statistics = find_traces(fitted_with, data, held.design, state);
  result.r2 = data.variation() > 0 ? 1.0 - statistics.objective.fit / data.variation() : 1.0;
  normalise(held.design, Scale::sum_one, state);
  for (std::size_t k = 0; k < held.design.n_categories(); ++k)
    result.model.categories[k].variants = state.components[k];
  result.model.traces.clear();
  for (const Matrix& phi : state.traces) result.model.traces.push_back(phi.transpose());
  result.model.transitions = state.transitions;
  return result;
}

}  // namespace milcci
