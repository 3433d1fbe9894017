// Means and covariance of the channels over all time points.
#pragma once

#include "baselines/samples.hpp"

namespace milcci::baselines {

struct Moments {
  Vector mean;        ///< N, over observed entries
  Matrix covariance;  ///< N x N, sums divided by S; missing entries are at their channel's mean
};

inline Moments moments_of(const Samples& samples) {
  const Matrix& Y = samples.values;
  const auto is_missing = Y.array().isNaN();
  const Vector n_observed = static_cast<double>(Y.cols()) - is_missing.cast<double>().rowwise().sum();
  Moments moments;
  moments.mean = is_missing.select(0.0, Y.array()).rowwise().sum() / n_observed.array().max(1.0);
  const Matrix rest = is_missing.select(0.0, (Y.colwise() - moments.mean).array()).matrix();
  Matrix sums = Matrix::Zero(Y.rows(), Y.rows());
  sums.selfadjointView<Eigen::Lower>().rankUpdate(rest);
  moments.covariance = Matrix(sums.selfadjointView<Eigen::Lower>()) / static_cast<double>(Y.cols());
  return moments;
}

}  // namespace milcci::baselines
