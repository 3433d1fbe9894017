#include "evaluate/transitions.hpp"

namespace milcci {
namespace {

// Which component of the model a true one is in one trial, and what the true trace is multiplied by there.
// A membership that is longer has a trace that is shorter.
struct Counterpart {
  Index estimate = -1;
  double factor = 0;
};

Counterpart counterpart(const Model& model, const Match& match, std::size_t trial, double true_length) {
  if (match.estimate < 0) return {};
  const FittedCategory& category = model.categories[model.place(match.estimate).category];
  const auto option = static_cast<std::size_t>(category.category.option_of_trial[trial]);
  const auto& [estimate, sign] = match.under_option[option];
  const double length = category.variants[option].col(model.place(estimate).component).norm();
  if (length == 0 || true_length == 0) return {};
  return {estimate, sign * true_length / length};
}

}  // namespace

std::vector<Matrix> transitions_of_truth(const Model& model, const TrialSource& trials,
                                         const std::vector<Match>& matches) {
  std::vector<std::vector<int>> options;
  for (const CategoryComponents& category : trials.truth()->categories)
    options.push_back(true_option_of_trial(category, trials));
  const auto P = static_cast<Index>(matches.size());
  std::vector<Matrix> transitions(trials.n_trials(), Matrix::Zero(P, P));
  for (std::size_t m = 0; m < trials.n_trials(); ++m) {
    std::vector<Counterpart> places;
    for (std::size_t k = 0; k < options.size(); ++k) {
      const CategoryComponents& category = trials.truth()->categories[k];
      const Matrix& variant = category.variants[static_cast<std::size_t>(options[k][m])];
      for (Index j = 0; j < category.n_components(); ++j)
        places.push_back(counterpart(model, matches[places.size()], m, variant.col(j).norm()));
    }
    for (Index i = 0; i < P; ++i)
      for (Index j = 0; j < P; ++j) {
        const auto &to = places[static_cast<std::size_t>(i)], &from = places[static_cast<std::size_t>(j)];
        if (to.estimate < 0 || from.estimate < 0) continue;
        transitions[m](i, j) = model.transitions[m](to.estimate, from.estimate) * from.factor / to.factor;
      }
  }
  return transitions;
}

}  // namespace milcci
