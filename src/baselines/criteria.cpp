#include "baselines/criteria.hpp"

#include <cmath>
#include <numbers>

namespace milcci {

Criteria information_criteria(double squared_error, double n_observed, double degrees_of_freedom) {
  const double k = degrees_of_freedom + 1, n = n_observed;
  const double log_likelihood = -0.5 * n * (std::log(2 * std::numbers::pi * squared_error / n) + 1);
  return {log_likelihood, 2 * k - 2 * log_likelihood, k * std::log(n) - 2 * log_likelihood,
          2 * k * std::log(std::log(n)) - 2 * log_likelihood};
}

}  // namespace milcci
