#include "baselines/samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "util/percentile.hpp"

namespace milcci::baselines {

std::vector<Matrix> Samples::split(const Matrix& rows) const {
  std::vector<Matrix> parts;
  for (std::size_t m = 0; m + 1 < first.size(); ++m)
    parts.push_back(rows.middleCols(first[m], first[m + 1] - first[m]));
  return parts;
}

Samples side_by_side(const TrialSource& trials) {
  Samples samples;
  samples.first = {0};
  for (std::size_t m = 0; m < trials.n_trials(); ++m)
    samples.first.push_back(samples.first.back() + trials.n_times(m));
  samples.values.resize(trials.n_channels(), samples.first.back());
  TrialBuffer buffer;
  for (std::size_t m = 0; m < trials.n_trials(); ++m)
    samples.values.middleCols(samples.first[m], trials.n_times(m)) = trials.doubles(m, buffer);
  samples.n_missing = samples.values.array().isNaN().count();
  return samples;
}

namespace {

template <class Values>
Values along_time(const Values& values, Index n_times, Index n_trials) {
  const Index N = values.rows();
  Values unfolded(n_times, N * n_trials);
  for (Index m = 0; m < n_trials; ++m)
    unfolded.middleCols(m * N, N) = values.middleCols(m * n_times, n_times).transpose();
  return unfolded;
}

}  // namespace

Matrix Tensor::by_time() const {
  return along_time(values, n_times, n_trials);
}

Mask Tensor::observed_by_time() const {
  return along_time(is_observed, n_times, n_trials);
}

Tensor::Sizes Tensor::observed_sizes() const {
  Sizes sizes{.n_channels = is_observed.rowwise().any().count()};
  Eigen::Array<bool, Eigen::Dynamic, 1> has_time =
      Eigen::Array<bool, Eigen::Dynamic, 1>::Constant(n_times, false);
  for (Index m = 0; m < n_trials; ++m) {
    const auto seen = is_observed.middleCols(m * n_times, n_times).colwise().any().transpose().eval();
    has_time = has_time || seen;
    sizes.n_trials += seen.any();
  }
  sizes.n_times = has_time.count();
  return sizes;
}

Tensor stacked(const TrialSource& trials) {
  constexpr double kShare = 0.9;
  std::vector<double> lengths;
  for (std::size_t m = 0; m < trials.n_trials(); ++m)
    lengths.push_back(static_cast<double>(trials.n_times(m)));
  Tensor tensor;
  tensor.n_times = std::max<Index>(1, static_cast<Index>(std::llround(percentile(lengths, kShare))));
  tensor.n_trials = static_cast<Index>(trials.n_trials());
  tensor.values = Matrix::Zero(trials.n_channels(), tensor.n_times * tensor.n_trials);
  tensor.is_observed = Mask::Constant(trials.n_channels(), tensor.n_times * tensor.n_trials, false);
  std::size_t n_cut = 0, n_padded = 0;
  Index n_missing = 0;
  TrialBuffer buffer;
  for (std::size_t m = 0; m < trials.n_trials(); ++m) {
    const auto y = trials.doubles(m, buffer);
    const Index n = std::min(y.cols(), tensor.n_times);
    n_cut += y.cols() > tensor.n_times;
    n_padded += y.cols() < tensor.n_times;
    const auto is_missing = y.leftCols(n).array().isNaN();
    n_missing += is_missing.count();
    tensor.values.middleCols(static_cast<Index>(m) * tensor.n_times, n) =
        is_missing.select(Matrix::Zero(y.rows(), n), y.leftCols(n));
    tensor.is_observed.middleCols(static_cast<Index>(m) * tensor.n_times, n) = !is_missing;
  }
  if (n_cut + n_padded > 0)
    tensor.notes.push_back(
        fmt::format("trials were given {} time points, the 90th percentile of their lengths: {} of {} were "
                    "cut, {} padded with zeros",
                    tensor.n_times, n_cut, trials.n_trials(), n_padded));
  if (n_missing > 0) tensor.notes.push_back(fmt::format("{} missing entries count as zeros", n_missing));
  return tensor;
}

Matrix with_length(const Matrix& traces, Index n_times) {
  Matrix fitted = Matrix::Zero(traces.rows(), n_times);
  const Index n = std::min(n_times, traces.cols());
  fitted.leftCols(n) = traces.leftCols(n);
  return fitted;
}

}  // namespace milcci::baselines
