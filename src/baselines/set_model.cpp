// From factors to a model: one category, memberships that sum to one, the largest of them positive.
#include <fmt/format.h>

#include <cmath>

#include "baselines/methods.hpp"
#include "baselines/too_many_components.hpp"
#include "baselines/trace_solver.hpp"

namespace milcci::baselines {
namespace {

// What makes absolute memberships sum to one.
double scale_of(const Eigen::Ref<const Vector>& component) {
  const double sum = component.lpNorm<1>();
  return sum > 0 ? 1 / sum : 1;
}

// Which sign makes the largest membership of a component positive, over all of its variants.
double sign_of(const std::vector<Matrix>& variants, Index j) {
  double largest = 0;
  for (const Matrix& variant : variants) {
    Index at = 0;
    if (variant.col(j).cwiseAbs().maxCoeff(&at) > std::abs(largest)) largest = variant(at, j);
  }
  return largest < 0 ? -1 : 1;
}

void describe_trials(const TrialSource& trials, Model& model) {
  model.channel_names = trials.channel_names();
  model.channel_groups = trials.channel_groups();
  model.times = trials.times();
  model.trial_names = trials.trial_names();
  model.labels = trials.labels();
  model.history = trials.history();
}

}  // namespace

void require_at_most(const Task& task, Index largest, const std::string& what) {
  if (task.n_components() <= largest) return;
  throw TooManyComponents(fmt::format("{} components are too many: there can be at most {}, the number of {}",
                                      task.n_components(), largest, what),
                          largest);
}

void set_components(const Task& task, const Matrix& components, std::vector<Matrix> traces,
                    BaselineFit& fit) {
  Category category;
  category.spec = {.name = "fixed", .n_components = task.options.n_components, .kind = CategoryKind::fixed};
  category.options = {"fixed"};
  category.option_of_trial.assign(task.trials.n_trials(), 0);
  category.graph = LabelGraph::constant(1, 0.0);
  // Components of one length for all trials: what belongs to new trials is scaled with them.
  for (Index j = 0; j < components.cols(); ++j) {
    const double scale = sign_of({components}, j) * scale_of(components.col(j));
    if (fit.trace_rule.ridge.size() > 0) {
      fit.trace_rule.ridge.row(j) *= scale;
      fit.trace_rule.ridge.col(j) *= scale;
    }
    for (Matrix& shape : fit.trace_rule.shapes) shape.row(j) /= scale;
  }
  set_variants(task, std::move(category), {components}, std::move(traces), fit);
}

void set_variants(const Task& task, Category category, std::vector<Matrix> variants,
                  std::vector<Matrix> traces, BaselineFit& fit) {
  for (Index j = 0; j < variants.front().cols(); ++j) {
    const double sign = sign_of(variants, j);
    for (std::size_t m = 0; m < traces.size(); ++m) {
      const Matrix& variant = variants[static_cast<std::size_t>(category.option_of_trial[m])];
      traces[m].row(j) *= sign / scale_of(variant.col(j));
    }
    for (Matrix& variant : variants) variant.col(j) *= sign * scale_of(variant.col(j));
  }
  describe_trials(task.trials, fit.model);
  fit.model.categories = {{std::move(category), std::move(variants)}};
  fit.model.traces = std::move(traces);
}

void set_usual_ridge(const TrialSource& trials, BaselineFit& fit) {
  TraceRule& rule = fit.trace_rule;
  const bool has_own = rule.ridge.size() > 0 || !rule.shapes.empty() || !rule.why_impossible.empty();
  if (!has_own) rule.ridge = ridge_of_noise(fit.model, rule.is_nonnegative, trials);
}

}  // namespace milcci::baselines
