#include "compare/own_degrees_of_freedom.hpp"

#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <utility>

#include "solvers/pseudo_inverse.hpp"
#include "util/columns.hpp"

namespace milcci {
namespace {

// Memberships of variants that some trial chose, less the scale of each.
double count_memberships(const Model& model) {
  double count = 0;
  for (const FittedCategory& fitted : model.categories) {
    const std::set<int> chosen(fitted.category.option_of_trial.begin(),
                               fitted.category.option_of_trial.end());
    for (const int option : chosen) {
      const Matrix& variant = fitted.variants[static_cast<std::size_t>(option)];
      for (Index j = 0; j < variant.cols(); ++j) {
        const auto n = static_cast<double>((variant.col(j).array() != 0).count());
        if (n > 0) count += n - 1;
      }
    }
  }
  return count;
}

double count_nonzero_traces(const Model& model) {
  double count = 0;
  for (const Matrix& phi : model.traces) count += static_cast<double>((phi.array() != 0).count());
  return count;
}

// The loading as the penalties see it: channels in units of their noise, components of length one.
Matrix framed_loading(const Model& model, std::size_t m) {
  Matrix A = model.loading(m);
  if (model.noise.level.size() > 0)
    A.array().colwise() *= model.noise.unit / model.noise.level.array().max(1e-300);
  normalise_columns(A);
  return A;
}

double trace_dimension(const NoiseModel& noise, const Matrix& A, Index n_times) {
  const Matrix H = A.transpose() * A;
  double sum = 0;
  for (Index l = 0; l < n_times; ++l) {
    const double eigenvalue =
        2 - 2 * std::cos(std::numbers::pi * static_cast<double>(l) / static_cast<double>(n_times));
    Matrix penalised = H;
    if (noise.ridge.size() > 0) penalised.diagonal() += noise.ridge;
    if (noise.smoothness.size() > 0) penalised.diagonal() += eigenvalue * noise.smoothness;
    sum += (pseudo_inverse(penalised) * H).trace();
  }
  return sum;
}

double count_shrunken_traces(const Model& model) {
  std::map<std::pair<std::vector<int>, Index>, double> known;  // by label and length
  double sum = 0;
  for (std::size_t m = 0; m < model.n_trials(); ++m) {
    std::vector<int> label;
    for (const FittedCategory& fitted : model.categories) label.push_back(fitted.category.option_of_trial[m]);
    const Index n_times = model.traces[m].cols();
    const auto [entry, is_new] = known.try_emplace({label, n_times}, 0.0);
    if (is_new) entry->second = trace_dimension(model.noise, framed_loading(model, m), n_times);
    sum += entry->second;
  }
  return sum;
}

}  // namespace

DegreesOfFreedom own_degrees_of_freedom(const FitResult& fitted) {
  const Model& model = fitted.model;
  const NonNegative sign = fitted.summary.options.nonnegative;
  const bool counts_values = sign == NonNegative::traces || sign == NonNegative::both;
  DegreesOfFreedom found;
  found.count =
      count_memberships(model) + (counts_values ? count_nonzero_traces(model) : count_shrunken_traces(model));
  found.note = counts_values ? "non-zero memberships and trace values, less a scale per component and option"
                             : "non-zero memberships, what shrunken and smooth traces are worth, less a "
                               "scale per component and option";
  const auto n_channels = static_cast<double>(model.n_channels());
  if (model.noise.offset.size() > 0) {
    found.count += n_channels;
    found.note += ", and an offset per channel";
  }
  if (model.noise.is_calibrated()) {
    found.count += n_channels - 1;
    found.note += ", and a noise level per channel";
  }
  return found;
}

}  // namespace milcci
