// Traces of new trials: one trace update with the components fixed.
#include "data/check_trials.hpp"
#include "data/trial_data.hpp"
#include "loop/normalise.hpp"
#include "milcci/fit.hpp"
#include "transform/fixed_components.hpp"

namespace milcci {

TransformResult transform(const Model& model, const FitOptions& fitted_with, const Trials& trials) {
  TransformResult result;
  result.warnings = check_trials(trials);
  FixedComponents fixed = fix_components(model, trials);
  result.warnings.insert(result.warnings.end(), fixed.warnings.begin(), fixed.warnings.end());
  result.model = model;
  result.model.times = trials.times;
  result.model.categories = std::move(fixed.categories);

  const TrialData data(trials, fitted_with.tanh);
  State state;
  state.components = std::move(fixed.components);
  const Statistics statistics = find_traces(fitted_with, data, fixed.design, state);
  result.r2 = data.variation() > 0 ? 1.0 - statistics.objective.fit / data.variation() : 1.0;
  normalise(fixed.design, Scale::sum_one, state);
  for (std::size_t k = 0; k < fixed.design.n_categories(); ++k)
    result.model.categories[k].variants = state.components[k];
  result.model.traces.clear();
  for (const Matrix& phi : state.traces) result.model.traces.push_back(phi.transpose());
  result.model.transitions = state.transitions;
  return result;
}

}  // namespace milcci
