// How slowly traces change, by the traces themselves.
#include <algorithm>
#include <limits>
#include <numbers>
#include <optional>

#include "milcci/describe.hpp"

namespace milcci {
namespace {

// sum over trials and time points of x_t x_{t+lag} / number of products, x the trace less `mean`. Nothing if
// there are no trials of that length.
std::optional<double> mean_product(const Model& model, Index component, double mean, Index lag) {
  double sum = 0, n = 0;
  for (const Matrix& traces : model.traces) {
    const Index n_products = traces.cols() - lag;
    if (n_products <= 0) continue;
    const auto x = traces.row(component).array() - mean;
    sum += (x.head(n_products) * x.tail(n_products)).sum();
    n += static_cast<double>(n_products);
  }
  return n > 0 ? std::optional(sum / n) : std::nullopt;
}

double mean_of(const Model& model, Index component) {
  double sum = 0, n = 0;
  for (const Matrix& traces : model.traces) {
    sum += traces.row(component).sum();
    n += static_cast<double>(traces.cols());
  }
  return sum / n;
}

double time_constant(const Model& model, Index component) {
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN(), kFallen = 1.0 / std::numbers::e;
  const double mean = mean_of(model, component);
  const double variance = mean_product(model, component, mean, 0).value_or(0.0);
  if (!(variance > 0)) return kUnknown;
  double before = 1.0;
  for (Index lag = 1;; ++lag) {
    const std::optional<double> product = mean_product(model, component, mean, lag);
    if (!product) return kUnknown;
    const double now = *product / variance;
    if (now < kFallen) return static_cast<double>(lag - 1) + (before - kFallen) / (before - now);
    before = now;
  }
}

}  // namespace

Vector time_constants(const Model& model) {
  Vector result(model.n_components());
  for (Index j = 0; j < result.size(); ++j) result(j) = time_constant(model, j);
  return result;
}

}  // namespace milcci
