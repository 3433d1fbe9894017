#include "fit/noise_model.hpp"

#include <algorithm>
#include <cmath>

#include "fit/standard_errors.hpp"
#include "loop/huber.hpp"
#include "loop/residuals.hpp"
#include "loop/ruler.hpp"

namespace milcci {

namespace {

std::vector<std::vector<Matrix>> standard_errors(const TrialData& data, const Design& design,
                                                 const Calibrator& calibrator, const State& state) {
  const Index N = data.n_channels();
  Vector unweighted(N);
  for (Index n = 0; n < N; ++n) unweighted(n) = 1.0 / data.frame().weight_of(n);
  const std::vector<Matrix> in_frame =
      membership_errors(design, state, *calibrator.calibration(), calibrator.inflation());
  std::vector<std::vector<Matrix>> result(design.n_categories());
  for (const auto& [k, i] : design.variants) {
    const Vector errors = in_frame[k].col(static_cast<Index>(i));
    Matrix of_variant = Matrix::Zero(N, errors.size());
    for (Index j = 0; j < errors.size(); ++j) {
      const double size = state.components[k][i].col(j).cwiseProduct(unweighted).lpNorm<1>();
      if (size > 0) of_variant.col(j) = errors(j) / size * unweighted;
    }
    result[k].push_back(std::move(of_variant));
  }
  return result;
}

}  // namespace

NoiseModel describe_noise(const TrialData& data, const Design& design, const Calibrator& calibrator,
                          const State& state) {
  NoiseModel noise;
  const Frame& frame = data.frame();
  noise.offset = frame.offset;
  const bool has_levels =
      frame.weight.size() > 0 || calibrator.calibration() != nullptr || calibrator.is_robust();
  if (!has_levels) return noise;
  if (!(calibrator.noise() > 0)) return noise;  // nothing was left to estimate it from
  noise.unit = std::sqrt(calibrator.noise());
  noise.level.resize(data.n_channels());
  for (Index n = 0; n < data.n_channels(); ++n) noise.level(n) = noise.unit / frame.weight_of(n);
  const Calibration* found = calibrator.calibration();
  if (found == nullptr) return noise;
  noise.ridge = found->ridge;
  noise.smoothness = found->smoothness;
  noise.consistency = found->consistency;
  noise.keeps_sparsity = !found->keeps_members;
  noise.standard_errors = standard_errors(data, design, calibrator, state);
  return noise;
}

NoiseModel in_order(NoiseModel noise, const std::vector<Index>& order) {
  if (noise.ridge.size() > 0) {
    noise.ridge = noise.ridge(order).eval();
    noise.smoothness = noise.smoothness(order).eval();
  }
  Index first = 0;
  for (Vector& consistency : noise.consistency) {
    std::vector<Index> places;
    for (Index j = 0; j < consistency.size(); ++j)
      places.push_back(order[static_cast<std::size_t>(first + j)] - first);
    consistency = consistency(places).eval();
    if (!noise.standard_errors.empty())
      for (Matrix& errors :
           noise.standard_errors[static_cast<std::size_t>(&consistency - noise.consistency.data())])
        errors = errors(Eigen::all, places).eval();
    first += consistency.size();
  }
  return noise;
}

void leave_frame(const Frame& frame, const Design& design, State& state) {
  if (frame.weight.size() == 0) return;
  for (std::size_t k = 0; k < design.n_categories(); ++k)
    for (Matrix& variant : state.components[k]) variant.array().colwise() /= frame.weight.array();
}

double r2_of_data(const TrialData& data, const Design& design, const State& state,
                  std::optional<double> fit) {
  const Frame& frame = data.frame();
  if (frame.weight.size() == 0 && fit) return data.variation() > 0 ? 1.0 - *fit / data.variation() : 1.0;
  const ChannelResiduals left = channel_residuals(data, design, state, 1);
  const ChannelSums& sums = data.channel_sums();
  double error = 0, variation = 0;
  for (Index n = 0; n < data.n_channels(); ++n)
    if (sums.count(n) > 0) {
      error += left.squares(n) / std::pow(frame.weight_of(n), 2);
      variation += std::max(0.0, sums.squares(n) - sums.sum(n) * sums.sum(n) / sums.count(n));
    }
  return variation > 0 ? 1.0 - error / variation : 1.0;
}

void report_huber(const Calibration* calibration, const TrialData& data, const Design& design,
                  const State& state, double noise_level, FitSummary& summary) {
  const HuberTargets targets = huber_targets(data, design, state, noise_level, 1);
  summary.objective = objective_of_state(summary.options, calibration, targets.data, design, state);
  summary.objective->fit += targets.charge;
  summary.r2 = r2_of_data(data, design, state, std::nullopt);
  summary.r2_without_outliers = r2_of_data(targets.data, design, state, std::nullopt);
}

}  // namespace milcci
