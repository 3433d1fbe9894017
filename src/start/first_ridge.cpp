#include "start/first_ridge.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "data/channel_sample.hpp"
#include "loop/penalties.hpp"

namespace milcci {
namespace {

// About the mean of every channel, in the frame. Missing entries are as the mean.
Matrix centred(Matrix sample, const Frame& frame) {
  for (Index n = 0; n < sample.rows(); ++n) {
    const auto is_observed = !sample.row(n).array().isNaN();
    const double mean = is_observed.select(sample.row(n).array(), 0.0).sum() /
                        std::max(1.0, static_cast<double>(is_observed.count()));
    sample.row(n) = is_observed.select((sample.row(n).array() - mean) * frame.weight_of(n), 0.0).eval();
  }
  return sample;
}

}  // namespace

double first_ridge(const TrialData& data, const Design& design, const FitOptions& options) {
  constexpr double kMostShare = 0.5;  // of the directions of the data that components take
  const double least = fixed_ridge(options);
  const Matrix Y = centred(some_times(data), data.frame());
  Index n_taken = 0;
  for (std::size_t k = 0; k < design.n_categories(); ++k)
    n_taken += design.n_components(k) * design.n_options(k);
  const Index n_directions = std::min(Y.rows(), Y.cols());
  if (static_cast<double>(n_taken) > kMostShare * static_cast<double>(n_directions)) return kFirstRidge;
  const Matrix gram = Y.rows() <= Y.cols() ? Matrix(Y * Y.transpose()) : Matrix(Y.transpose() * Y);
  const Vector variance = Eigen::SelfAdjointEigenSolver<Matrix>(gram, Eigen::EigenvaluesOnly).eigenvalues();
  const double total = variance.sum();
  if (!(total > 0)) return kFirstRidge;
  const double noise = std::max(0.0, variance.head(n_directions - n_taken).mean()) /
                       static_cast<double>(Y.rows()) * static_cast<double>(n_directions);  // of a channel
  const double signal =
      (total - noise * static_cast<double>(Y.rows())) / static_cast<double>(design.n_components());
  return std::clamp(signal > 0 ? noise / signal : kFirstRidge, std::min(least, kFirstRidge), kFirstRidge);
}

}  // namespace milcci
