#include "transform/fixed_components.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "label_graphs/categories.hpp"
#include "label_graphs/graph.hpp"
#include "loop/huber.hpp"
#include "loop/normalise.hpp"
#include "loop/penalties.hpp"
#include "loop/traces.hpp"
#include "milcci/error.hpp"
#include "util/parallel.hpp"

namespace milcci {
namespace {

bool is_ordered(const CategorySpec& spec) {
  return has_distances(spec.kind);
}

// Whether a value's bin is known; models from before edges were kept know only the means of the bins.
bool has_edges(const Category& category) {
  return category.spec.bins > 0 && category.bin_edges.size() + 1 == category.options.size();
}

void check_channels(const Model& model, const TrialSource& trials) {
  if (trials.n_channels() != model.n_channels())
    throw Error(ErrorKind::bad_input,
                fmt::format("the new trials have {} channels, the model has {}; a model applies "
                            "only to the channels it was fitted to",
                            trials.n_channels(), model.n_channels()));
  for (Index n = 0; n < model.n_channels(); ++n) {
    const std::string &found = trials.channel_names()[static_cast<std::size_t>(n)],
                      &expected = model.channel_names[static_cast<std::size_t>(n)];
    if (found == expected) continue;
    const auto& known = model.channel_names;
    const bool is_known = std::find(known.begin(), known.end(), found) != known.end();
    throw Error(
        ErrorKind::bad_input,
        fmt::format("channel {} is '{}' in the new trials and '{}' in the model; {}", n + 1, found, expected,
                    is_known ? "bring the channels into the model's order"
                             : "the model knows no channel of that name: it applies only to the "
                               "channels it was fitted to"));
  }
}

// `weight`: of the options that were fitted, which come first.
Matrix weighted_variant(const FittedCategory& fitted, const Vector& weight) {
  Matrix variant = Matrix::Zero(fitted.variants[0].rows(), fitted.variants[0].cols());
  for (Index i = 0; i < weight.size(); ++i)
    if (weight(i) != 0) variant += weight(i) * fitted.variants[static_cast<std::size_t>(i)];
  return variant;
}

// The graph of all options, once new ones have been added; a graph given by the user knows nothing of those.
LabelGraph graph_of_all(const Category& category) {
  const LabelGraph& graph = category.graph;
  if (category.n_options() == graph.n_options()) return graph;
  if (category.spec.kind != CategoryKind::graph)
    return label_graph(category.spec, category.n_options(), category.option_values);
  Matrix weights = Matrix::Zero(category.n_options(), category.n_options());
  weights.topLeftCorner(graph.n_options(), graph.n_options()) = graph.dense();
  return LabelGraph(weights);
}

// The option of one trial; an option never seen is added to the category, with a variant made from the known
// ones.
int option_for(const TrialSource& trials, std::size_t trial, int n_fitted, FittedCategory& fitted,
               std::vector<std::string>& warnings) {
  Category& category = fitted.category;
  const CategorySpec& spec = category.spec;
  std::string name = option_name(spec, trials, trial);
  Vector weight;
  if (is_ordered(spec)) {
    const Matrix known = category.option_values.topRows(n_fitted);
    const Eigen::RowVectorXd point = label_point(spec, trials, trial);
    if (has_edges(category)) return bin_of(category.bin_edges, point(0));
    Index nearest = 0;
    const double distance = (known.rowwise() - point).rowwise().norm().minCoeff(&nearest);
    if (distance == 0 || spec.bins > 0) return static_cast<int>(nearest);
    weight = kernel_weights(spec, known, point);
  } else {
    weight = Vector::Constant(n_fitted, 1.0 / n_fitted);
  }
  const auto found = std::find(category.options.begin(), category.options.end(), name);
  if (found != category.options.end()) return static_cast<int>(found - category.options.begin());

  warnings.push_back(fmt::format("category '{}': option '{}' (trial {}) was never seen in the fit; {}",
                                 spec.name, name, trial + 1,
                                 is_ordered(spec) ? "its variant is interpolated from the nearest options"
                                                  : "the mean of the known variants is used"));
  const bool is_mean_known = !is_ordered(spec) && category.n_options() > n_fitted;
  fitted.variants.push_back(is_mean_known ? Matrix(fitted.variants.back())
                                          : weighted_variant(fitted, weight));
  category.options.push_back(std::move(name));
  if (is_ordered(spec)) {
    category.option_values.conservativeResize(category.n_options(), Eigen::NoChange);
    category.option_values.bottomRows(1) = label_point(spec, trials, trial);
  }
  return category.n_options() - 1;
}

}  // namespace

FixedComponents fix_components(const Model& model, const TrialSource& trials) {
  check_channels(model, trials);
  FixedComponents fixed;
  fixed.categories = model.categories;
  std::vector<Category> categories;
  State state;
  for (FittedCategory& fitted : fixed.categories) {
    const int n_fitted = fitted.category.n_options();
    if (fitted.category.spec.bins > 0 && !has_edges(fitted.category))
      fixed.warnings.push_back(
          fmt::format("category '{}': the model is too old to hold the edges of its bins, so trials are put "
                      "into the bin with the nearest mean, which need not be the one of the fit; fit again "
                      "to have the edges",
                      fitted.category.spec.name));
    std::vector<int> option_of_trial;
    for (std::size_t m = 0; m < trials.n_trials(); ++m) {
      for (const std::string& column : fitted.category.spec.columns.empty()
                                           ? std::vector<std::string>{fitted.category.spec.name}
                                           : fitted.category.spec.columns) {
        const LabelColumn* label = trials.find_label(column);
        if (label != nullptr && label->is_missing(m))
          throw Error(ErrorKind::bad_input,
                      fmt::format("category '{}': trial {} has no value in label column '{}'",
                                  fitted.category.spec.name, m + 1, column));
      }
      option_of_trial.push_back(option_for(trials, m, n_fitted, fitted, fixed.warnings));
    }
    fitted.category.option_of_trial = std::move(option_of_trial);
    fitted.category.graph = graph_of_all(fitted.category);
    categories.push_back(fitted.category);
    state.components.push_back(fitted.variants);
  }
  fixed.design = make_design(std::move(categories), trials.n_trials());
  fixed.frame = frame_of(model.noise);
  fixed.calibration = calibration_of(model.noise);
  fixed.noise_level = noise_level_of(model.noise);
  if (fixed.frame.weight.size() > 0)
    for (std::vector<Matrix>& variants : state.components)
      for (Matrix& variant : variants) variant.array().colwise() *= fixed.frame.weight.array();
  normalise(fixed.design, Scale::length_one, state);
  fixed.components = std::move(state.components);
  return fixed;
}

namespace {

Statistics find_traces_of_targets(const FitOptions& fitted_with, const FixedComponents& fixed,
                                  const TrialData& data, State& state) {
  const Design& design = fixed.design;
  Penalties penalties = trace_penalties(fitted_with, data, design.n_components());
  calibrate_traces(fixed.calibration ? &*fixed.calibration : nullptr, fitted_with, penalties);
  const TraceOptions options{.is_nonnegative = fitted_with.nonnegative == NonNegative::traces ||
                                               fitted_with.nonnegative == NonNegative::both,
                             .prior = fitted_with.prior,
                             .dynamics_iterations = fitted_with.dynamics_iterations,
                             .chain = {.tolerance = 1e-9, .max_sweeps = 1000},
                             .threads = resolve_threads(fitted_with.threads)};
  Statistics statistics = update_traces(data, design, penalties, options, state);
  if (fitted_with.prior == TracePrior::lds) {
    set_transition_penalties(fitted_with, state, penalties);
    statistics = update_traces(data, design, penalties, options, state);
  }
  return statistics;
}

}  // namespace

Statistics find_traces(const FitOptions& fitted_with, const FixedComponents& fixed, const TrialData& data,
                       State& state) {
  if (fitted_with.loss == Loss::squared || !(fixed.noise_level > 0))
    return find_traces_of_targets(fitted_with, fixed, data, state);
  constexpr int kMostRounds = 100;
  constexpr double kSettled = 1e-5;  // movement of the traces of a trial, against their size
  const int threads = resolve_threads(fitted_with.threads);
  TrialData targets = within_usual_range(data, threads);
  for (int round = 0;; ++round) {
    const std::vector<Matrix> before = state.traces;
    Statistics statistics = find_traces_of_targets(fitted_with, fixed, targets, state);
    double movement = round == 0 ? 1.0 : 0.0;
    for (std::size_t m = 0; m < before.size() && round > 0; ++m)
      if (const double size = state.traces[m].norm(); size > 0)
        movement = std::max(movement, (state.traces[m] - before[m]).norm() / size);
    if (movement <= kSettled || round == kMostRounds) return statistics;
    targets = data;  // those of before need memory
    targets = huber_targets(data, fixed.design, state, fixed.noise_level, threads).data;
  }
}

}  // namespace milcci
