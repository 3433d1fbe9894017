// Co-smoothing: how well channels are predicted from other channels through the components.
//
//   for each fold f of the channels, for each trial m:
//     Phi_m = the traces of the channels outside f, components A fixed
//     the channels n in f are predicted as a_n Phi_m
//   R2 = 1 - sum of squared errors / sum of squares about each channel's mean
//
// Channels outside a fold are a smaller problem of the same form, without gaps that the data do not have. A
// fold costs one trace update and a copy of its channels.
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/field_checks.hpp"
#include "data/check_trials.hpp"
#include "data/trial_data.hpp"
#include "evaluate/scores.hpp"
#include "label_graphs/design.hpp"
#include "milcci/error.hpp"
#include "milcci/evaluate.hpp"
#include "transform/fixed_components.hpp"
#include "util/random.hpp"

namespace milcci {
namespace {

void check_options(const CoSmoothingOptions& options, Index n_channels) {
  if (n_channels < 2)
    throw Error(ErrorKind::bad_input,
                fmt::format("co-smoothing: the trials have {} channel, expected at least 2; a single channel "
                            "has no other to be predicted from, evaluate without co-smoothing",
                            n_channels));
  std::vector<std::string> problems;
  visit_fields(options, [&](Field field, const auto& value) {
    if (std::string(field.name) == "folds") field.maximum = static_cast<double>(n_channels);
    check_field(fmt::format("co-smoothing of {} channels: ", n_channels), field, value, problems);
  });
  if (!problems.empty()) throw Error(ErrorKind::bad_option, problems.front());
}

// Channels in random order, assigned to the folds in turn: folds differ by at most one channel in
// size.
std::vector<int> deal_channels(Index n_channels, const CoSmoothingOptions& options) {
  std::vector<std::size_t> order(static_cast<std::size_t>(n_channels));
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random random(options.seed, 0);
  for (std::size_t last = order.size() - 1; last > 0; --last)
    std::swap(order[last], order[static_cast<std::size_t>(random.below(static_cast<Index>(last) + 1))]);
  std::vector<int> fold_of_channel(order.size());
  for (std::size_t position = 0; position < order.size(); ++position)
    fold_of_channel[order[position]] = static_cast<int>(position % static_cast<std::size_t>(options.folds));
  return fold_of_channel;
}

using Channels = std::vector<Index>;

// Some channels of one trial as the model describes them; NaN = missing.
Matrix rows_of(const Eigen::Map<const Matrix>& values, const Channels& channels, Transform transform) {
  Matrix rows = values(channels, Eigen::all);
  if (transform == Transform::tanh) rows = rows.array().tanh();
  return rows;
}

// Adds the squared errors of the channels `out`, predicted from the channels `in`, to `error`.
void predict(const FixedComponents& fixed, const FitOptions& fitted_with, const TrialSource& trials,
             const Channels& in, const Channels& out, Vector& error) {
  State state;
  for (const std::vector<Matrix>& variants : fixed.components) {
    state.components.emplace_back();
    for (const Matrix& variant : variants) state.components.back().push_back(variant(in, Eigen::all));
  }
  TrialData data(trials.some_channels(in), fitted_with.transform);
  data.set_frame(fixed.frame.of(in));
  find_traces(fitted_with, fixed, data, state);

  const Frame frame = fixed.frame.of(out);
  std::vector<Matrix> loadings;
  for (std::size_t l = 0; l < fixed.design.labels.size(); ++l)
    loadings.push_back(loading(fixed.design, fixed.components, l)(out, Eigen::all));
  TrialBuffer buffer;
  for (std::size_t m = 0; m < trials.n_trials(); ++m) {
    const Matrix& A = loadings[static_cast<std::size_t>(fixed.design.label_of_trial[m])];
    Matrix predicted = A * state.traces[m].transpose();
    if (frame.weight.size() > 0) predicted.array().colwise() /= frame.weight.array();
    if (frame.offset.size() > 0) predicted.colwise() += frame.offset;
    error(out) += squares_of_rows(rows_of(trials.doubles(m, buffer), out, fitted_with.transform) - predicted);
  }
}

}  // namespace

CoSmoothing cosmooth(const Model& model, const FitOptions& fitted_with, const TrialSource& trials,
                     const CoSmoothingOptions& options) {
  CoSmoothing result;
  result.warnings = check_trials(trials);
  const FixedComponents fixed = fix_components(model, trials);
  result.warnings.insert(result.warnings.end(), fixed.warnings.begin(), fixed.warnings.end());
  check_options(options, trials.n_channels());
  result.folds = options.folds;
  result.seed = options.seed;
  const std::vector<int> fold_of_channel = deal_channels(trials.n_channels(), options);

  Vector error = Vector::Zero(trials.n_channels());
  for (int fold = 0; fold < options.folds; ++fold) {
    Channels in, out;
    for (Index n = 0; n < trials.n_channels(); ++n)
      (fold_of_channel[static_cast<std::size_t>(n)] == fold ? out : in).push_back(n);
    predict(fixed, fitted_with, trials, in, out, error);
  }

  const Vector variation = square_tables(model, trials).variation.rowwise().sum();
  // As for R2: data without variation leave nothing to explain.
  result.r2 = variation.sum() > 0 ? 1.0 - error.sum() / variation.sum() : (error.sum() > 0 ? 0.0 : 1.0);
  for (Index n = 0; n < trials.n_channels(); ++n) {
    const auto position = static_cast<std::size_t>(n);
    const double r2 =
        variation(n) > 0 ? 1.0 - error(n) / variation(n) : std::numeric_limits<double>::quiet_NaN();
    result.channels.push_back({trials.channel_names()[position], fold_of_channel[position], r2});
  }
  return result;
}

}  // namespace milcci
