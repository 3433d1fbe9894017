// Information criteria: what a fit is worth for its squared error and for the numbers it used.
#pragma once

namespace milcci {

/// Of independent Gaussian errors with the variance they have, SSE / n, which counts as one more number.
///   log L = -n/2 (log(2 pi SSE / n) + 1)
///   AIC = 2 k - 2 log L,   BIC = k log n - 2 log L,   HQC = 2 k log log n - 2 log L
/// Infinite without any error.
struct Criteria {
  double log_likelihood = 0, aic = 0, bic = 0, hqc = 0;
};

/// `degrees_of_freedom` without the variance. NaN makes all but the log-likelihood NaN.
Criteria information_criteria(double squared_error, double n_observed, double degrees_of_freedom);

}  // namespace milcci
