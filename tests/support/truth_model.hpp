// The truth of simulated trials as a model: what a perfect fit would return, up to scale.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "milcci/model.hpp"
#include "milcci/trials.hpp"

namespace milcci {

/// The option of every trial in one true category. Without a label column of its name, the category is fixed
/// (one option) or the trial number (one option per trial).
inline std::vector<int> true_option_of_trial(const Trials& trials, const CategoryComponents& category) {
  const LabelColumn* column = trials.find_label(category.name);
  std::vector<int> option_of_trial;
  for (std::size_t m = 0; m < trials.n_trials(); ++m) {
    std::string name = column ? column->text(m) : std::to_string(m + 1);
    if (!column && category.n_options() == 1) name = category.options.front();
    const auto found = std::find(category.options.begin(), category.options.end(), name);
    if (found == category.options.end()) throw std::logic_error("no true option " + name);
    option_of_trial.push_back(static_cast<int>(found - category.options.begin()));
  }
  return option_of_trial;
}

/// Components and traces keep the scale they were generated with. Label graphs are zero.
inline Model model_from_truth(const Trials& trials) {
  Model model;
  model.channel_names = trials.channel_names;
  model.channel_groups = trials.channel_groups;
  model.times = trials.times;
  model.traces = trials.truth->traces;
  for (const CategoryComponents& truth : trials.truth->categories) {
    FittedCategory fitted;
    fitted.category.spec.name = truth.name;
    fitted.category.spec.n_components = static_cast<int>(truth.n_components());
    if (!trials.find_label(truth.name))
      fitted.category.spec.kind = truth.n_options() == 1 ? CategoryKind::fixed : CategoryKind::trial_number;
    fitted.category.options = truth.options;
    fitted.category.option_of_trial = true_option_of_trial(trials, truth);
    fitted.category.graph = LabelGraph::constant(static_cast<int>(truth.n_options()), 0.0);
    fitted.variants = truth.variants;
    model.categories.push_back(std::move(fitted));
  }
  return model;
}

/// A^(L_m) of the truth, N x P.
inline Matrix true_loading(const Trials& trials, std::size_t trial) {
  Matrix loading(trials.n_channels(), 0);
  for (const CategoryComponents& category : trials.truth->categories) {
    const auto option = static_cast<std::size_t>(true_option_of_trial(trials, category)[trial]);
    const Index first = loading.cols();
    loading.conservativeResize(Eigen::NoChange, first + category.n_components());
    loading.rightCols(category.n_components()) = category.variants[option];
  }
  return loading;
}

}  // namespace milcci
