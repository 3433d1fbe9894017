// What a report says of the trials that a model was fitted to: errors over time, the data of some of them
// beside the fit, and the truth where it is known.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "evaluate/matching.hpp"
#include "evaluate/scores.hpp"
#include "report/packed_array.hpp"
#include "report/report_parts.hpp"

namespace milcci {
namespace {

constexpr Index kMostValues = 400000;      // of data shown
constexpr Index kMostTrueTraces = 300000;  // more are left out: they would double the page

// The data of a trial as the model describes them; NaN = missing.
Matrix described_data(const Model& model, const TrialSource& trials, std::size_t m, TrialBuffer& buffer) {
  const auto values = trials.doubles(m, buffer);
  if (model.transform == Transform::none) return values;
  return values.array().tanh();
}

// As many trials as fit, from the best described to the worst, in their own order.
std::vector<std::size_t> shown_trials(const Model& model, const Evaluation& evaluation) {
  const std::size_t M = model.n_trials();
  Index most_times = 1;
  for (const Matrix& trace : model.traces) most_times = std::max(most_times, trace.cols());
  const Index per_trial = most_times * std::max<Index>(1, model.n_channels());
  const auto n = std::min(M, static_cast<std::size_t>(std::max<Index>(1, kMostValues / per_trial)));
  std::vector<std::size_t> order(M);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (n == M) return order;
  // Those that never change, and so have no R2, come last.
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t m) {
    const double r2 = evaluation.trials[m].r2;
    return std::isnan(r2) ? -HUGE_VAL : r2;
  });
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < n; ++i) shown.push_back(order[n == 1 ? M / 2 : i * (M - 1) / (n - 1)]);
  std::ranges::sort(shown);
  return shown;
}

// Rows first in memory: channel x time point.
Json coarse(const Matrix& values) {
  const Matrix rows = values.transpose();
  return pack_coarse({rows.data(), static_cast<std::size_t>(rows.size())}, {values.rows(), values.cols()});
}

// Absolute memberships of a true variant, whose sum the model's scale divides by.
double size_of(const Matrix& variant, Index j) {
  const double sum = variant.col(j).cwiseAbs().sum();
  return sum > 0 ? sum : 1.0;
}

double sign_of(const Match& match) {
  return match.under_option.empty() ? 1.0 : match.under_option.front().sign;
}

}  // namespace

Vector residual_deviation(const TrialSource& trials, const Evaluation& evaluation) {
  Vector count = Vector::Zero(trials.n_channels());
  TrialBuffer buffer;
  for (std::size_t m = 0; m < trials.n_trials(); ++m)
    count += (!trials.doubles(m, buffer).array().isNaN()).cast<double>().matrix().rowwise().sum();
  Vector deviation(count.size());
  for (Index n = 0; n < count.size(); ++n)
    deviation(n) = std::sqrt(evaluation.channels[static_cast<std::size_t>(n)].squared_error / count(n));
  return deviation;
}

Json report_error_by_time(const ReportGrid& grid, const Model& model, const TrialSource& trials) {
  // Per trial: mean over channels of the squared error, and of the squared distance from the channel's mean.
  const Index N = trials.n_channels();
  Vector sum = Vector::Zero(N), count = sum;
  TrialBuffer buffer;
  for (std::size_t m = 0; m < trials.n_trials(); ++m) {
    const Matrix y = described_data(model, trials, m, buffer);
    count += (!y.array().isNaN()).cast<double>().matrix().rowwise().sum();
    sum += y.array().isNaN().select(0.0, y).matrix().rowwise().sum();
  }
  const Vector mean = sum.array() / count.array().max(1.0);
  std::vector<Matrix> rows;
  for (std::size_t m = 0; m < trials.n_trials(); ++m) {
    const Matrix y = described_data(model, trials, m, buffer);
    const Matrix residual = y - model.reconstruction(m), about_mean = y.colwise() - mean;
    const auto observed = (!y.array().isNaN()).cast<double>().colwise().sum().eval();
    Matrix both(2, y.cols());
    both.row(0) = squares_of_rows(residual.transpose()).transpose().array() / observed;
    both.row(1) = squares_of_rows(about_mean.transpose()).transpose().array() / observed;
    rows.push_back(std::move(both));
  }
  Model on_grid;
  on_grid.times = model.times;
  on_grid.traces = std::move(rows);
  const std::vector<Matrix> aligned = align_traces(on_grid).traces;
  const Index width = grid.thinned, n = (grid.aligned.times.size() + width - 1) / width;
  Vector error = Vector::Zero(n), variance = error, known = error;
  for (const Matrix& one : aligned)
    for (Index t = 0; t < one.cols(); ++t) {
      if (std::isnan(one(0, t))) continue;
      error(t / width) += one(0, t), variance(t / width) += one(1, t), known(t / width) += 1;
    }
  error.array() /= known.array();
  variance.array() /= known.array();
  Json json = Json::object();
  json["squared_error"] = to_json_value(error);
  json["variance"] = to_json_value(variance);
  return json;
}

Json report_data(const Model& model, const TrialSource& trials, const Evaluation& evaluation) {
  const std::vector<std::size_t> shown = shown_trials(model, evaluation);
  Json data = Json::object();
  data["trials"] = shown;
  data["is_all"] = shown.size() == model.n_trials();
  data["n_times"] = Json::array();
  data["times"] = model.times.empty() ? Json(nullptr) : Json::array();
  data["values"] = Json::array();
  data["fit"] = Json::array();
  TrialBuffer buffer;
  for (const std::size_t m : shown) {
    data["n_times"].push_back(model.traces[m].cols());
    if (!model.times.empty()) data["times"].push_back(to_json_value(model.times[m]));
    data["values"].push_back(coarse(described_data(model, trials, m, buffer)));
    data["fit"].push_back(coarse(model.reconstruction(m)));
  }
  return data;
}

Json report_truth(const ReportGrid& grid, const Model& model, const TrialSource& trials,
                  const Evaluation& evaluation) {
  if (!evaluation.truth) return nullptr;
  const Truth& truth = *trials.truth();
  const std::vector<Match> matches = match_components(model, trials);
  Json json = Json::object();
  json["matches"] = Json::parse(to_json(evaluation))["matches"];
  json["memberships"] = Json::array();
  std::vector<Matrix> traces = truth.traces;
  for (Index position = 0; const CategoryComponents& category : truth.categories) {
    const std::vector<int> option_of_trial = true_option_of_trial(category, trials);
    std::vector<double> values;
    for (Index j = 0; j < category.n_components(); ++j, ++position) {
      const double sign = sign_of(matches[static_cast<std::size_t>(position)]);
      for (const Matrix& variant : category.variants)
        for (Index n = 0; n < variant.rows(); ++n)
          values.push_back(sign * variant(n, j) / size_of(variant, j));
      for (std::size_t m = 0; m < traces.size(); ++m)
        traces[m].row(position) *=
            sign * size_of(category.variants[static_cast<std::size_t>(option_of_trial[m])], j);
    }
    Json one = Json::object();
    one["name"] = category.name;
    one["options"] = category.options;
    one["values"] = pack_rounded(
        values, {category.n_components(), static_cast<Index>(category.n_options()), trials.n_channels()});
    json["memberships"].push_back(std::move(one));
  }
  const Index n_values =
      static_cast<Index>(traces.size()) * traces.front().rows() * (grid.aligned.times.size() / grid.thinned);
  json["traces"] =
      n_values > kMostTrueTraces ? Json(nullptr) : report_rows(grid, model.times, std::move(traces));
  return json;
}

}  // namespace milcci
