// Traces of simulated trials: Gaussian processes over normalised time, alike in trials that share an option.
//
// Which trials share a mean trace: the components of category k follow the categories with a label column in
// turn, component c of category k the (k + c)-th, so that some traces reflect difficulty and some choice, in
// either category. With `traces` = shared, a component has one mean trace for all trials. The first
// `n_free_traces` components have a trace of their own in every trial.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <optional>

#include "simulate/stages.hpp"

namespace milcci::simulation {
namespace {

constexpr double kWhiteNoise = 1e-8;  // variance of the white term in the paper's kernel

// A sample of the process with kernel a exp(-(s - s')^2 / (2 l^2)) on [0, 1], held as a Fourier series over a
// period so long that the wrapped-around kernel is below rounding:
//   f(s) = x_0 sqrt(a S_0) + sum_q sqrt(2 a S_q) (x_q cos(2 pi q s / L) + y_q sin(2 pi q s / L)),
//   S_q = sqrt(2 pi) l / L exp(-(2 pi q l / L)^2 / 2),   x, y standard normal.
// This draws from the exact process at any number of time points, so that trials of unequal lengths share one
// mean trace, at O(T / l) instead of the O(T^3) of a Cholesky factor of the kernel matrix.
struct Series {
  double length_scale = 1, amplitude = 1;
  Vector cosines, sines;

  double period() const { return 1.0 + kWrapScales * length_scale; }

  static constexpr double kWrapScales = 9.0;   // exp(-9^2 / 2) = 3e-18
  static constexpr double kLastFrequency = 8;  // in units of 1 / l: exp(-8^2 / 2) = 1e-14 of the variance
};

Series draw_series(double amplitude, double length_scale, Random& random) {
  Series series{length_scale, amplitude, {}, {}};
  const double frequency_step = 2.0 * std::numbers::pi * length_scale / series.period();
  const auto n_terms = static_cast<Index>(std::ceil(Series::kLastFrequency / frequency_step)) + 1;
  series.cosines.resize(n_terms);
  series.sines.resize(n_terms);
  for (Index q = 0; q < n_terms; ++q) {
    const double frequency = frequency_step * static_cast<double>(q);
    const double density =
        frequency_step / std::sqrt(2.0 * std::numbers::pi) * std::exp(-0.5 * frequency * frequency);
    const double scale = std::sqrt((q == 0 ? 1.0 : 2.0) * amplitude * density);
    series.cosines(q) = scale * random.normal();
    series.sines(q) = scale * random.normal();
  }
  return series;
}

// The series at n_times equally spaced points from 0 to 1. Angles advance by rotation, not by sin and cos.
Vector evaluate(const Series& series, Index n_times) {
  const double step =
      n_times > 1 ? 2.0 * std::numbers::pi / (series.period() * static_cast<double>(n_times - 1)) : 0;
  const Eigen::ArrayXd angle =
      step * Eigen::ArrayXd::LinSpaced(n_times, 0.0, static_cast<double>(n_times - 1));
  const Eigen::ArrayXd turn_cos = angle.cos(), turn_sin = angle.sin();
  Eigen::ArrayXd cosine = Eigen::ArrayXd::Ones(n_times), sine = Eigen::ArrayXd::Zero(n_times);
  Eigen::ArrayXd sum = Eigen::ArrayXd::Zero(n_times), turned(n_times);
  for (Index q = 0; q < series.cosines.size(); ++q) {
    sum += series.cosines(q) * cosine + series.sines(q) * sine;
    turned = cosine * turn_cos - sine * turn_sin;
    sine = sine * turn_cos + cosine * turn_sin;
    cosine = turned;
  }
  return sum.matrix();
}

Series draw_mean(const SimulateOptions& options, Random& random) {
  const double amplitude = random.uniform(options.amplitude_min, options.amplitude_max);
  const double length_scale = random.uniform(options.length_scale_min, options.length_scale_max);
  return draw_series(amplitude, length_scale, random);
}

// The category whose options component c of category k follows in its traces; none if all trials share their
// mean, or no category has labels.
std::optional<std::size_t> followed_category(const SimulateOptions& options, std::size_t k, int c) {
  if (options.traces == MeanTraces::shared) return {};
  std::vector<std::size_t> with_labels;
  for (std::size_t other = 0; other < options.categories.size(); ++other)
    if (has_label_column(options.categories[other])) with_labels.push_back(other);
  if (with_labels.empty()) return {};
  return with_labels[(k + static_cast<std::size_t>(c)) % with_labels.size()];
}

// One component's trace in every trial. `followed` is null where all trials share one mean.
void draw_component_traces(const SimulateOptions& options, const CategoryLabels* followed, Index position,
                           std::vector<Matrix>& traces) {
  const auto component = static_cast<std::uint64_t>(position);
  const bool is_free = position < options.n_free_traces;
  std::vector<Series> means;
  if (!is_free)
    for (std::size_t i = 0; i < (followed ? followed->options.size() : 1); ++i) {
      Random random = random_for(options.seed, Stream::mean_traces, component, i);
      means.push_back(draw_mean(options, random));
    }
  for (std::size_t m = 0; m < traces.size(); ++m) {
    Random random = random_for(options.seed, Stream::trial_traces, component, m);
    Series trace;
    double white_variance = kWhiteNoise;
    if (is_free) {
      trace = draw_mean(options, random);
    } else {
      trace = means[followed ? static_cast<std::size_t>(followed->option_of_trial[m]) : 0];
      const Series perturbation = draw_series(trace.amplitude, trace.length_scale, random);
      trace.cosines += options.perturbation * perturbation.cosines;
      trace.sines += options.perturbation * perturbation.sines;
      white_variance *= 1.0 + options.perturbation * options.perturbation;
    }
    const Index n_times = traces[m].cols();
    traces[m].row(position) =
        (evaluate(trace, n_times) + std::sqrt(white_variance) * random.normal(n_times, 1)).transpose();
  }
}

void shift_to_zero(Shift shift, std::vector<Matrix>& traces) {
  if (shift == Shift::trace) {
    for (Matrix& trial : traces) trial.colwise() -= trial.rowwise().minCoeff().eval();
  } else if (shift == Shift::component) {
    Vector smallest = traces.front().rowwise().minCoeff();
    for (const Matrix& trial : traces) smallest = smallest.cwiseMin(trial.rowwise().minCoeff());
    for (Matrix& trial : traces) trial.colwise() -= smallest;
  }
}

}  // namespace

std::vector<Matrix> draw_traces(const SimulateOptions& options, const std::vector<CategoryLabels>& labels,
                                const std::vector<Index>& lengths) {
  Index n_components = 0;
  for (const SimulatedCategory& category : options.categories) n_components += category.n_components;
  std::vector<Matrix> traces;
  for (const Index n_times : lengths) traces.emplace_back(n_components, n_times);
  Index position = 0;
  for (std::size_t k = 0; k < labels.size(); ++k)
    for (int c = 0; c < options.categories[k].n_components; ++c, ++position) {
      const auto followed = followed_category(options, k, c);
      draw_component_traces(options, followed ? &labels[*followed] : nullptr, position, traces);
    }
  if (!options.is_signed) shift_to_zero(options.shift, traces);
  return traces;
}

}  // namespace milcci::simulation
