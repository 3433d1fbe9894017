#include "start/moments.hpp"

#include <utility>

#include "data/observed_together.hpp"
#include "kernels/kernels.hpp"
#include "start/complete_samples.hpp"

namespace milcci {
namespace {

// Up to this many channels S takes 8 MB at most.
constexpr Index kAlwaysDense = 1024;
// A component with variants spans more than one direction.
constexpr Index kRankPerComponent = 2;

Index total_times(const TrialData& data) {
  Index total = 0;
  for (std::size_t m = 0; m < data.n_trials(); ++m) total += data.n_times(m);
  return total;
}

// sqrt(all / observed time points) per channel; zero for one that was never observed.
Vector scale_of_channels(const TrialData& data) {
  const auto total = static_cast<double>(total_times(data));
  Vector observed = Vector::Constant(data.n_channels(), total);
  for (std::size_t m = 0; m < data.n_trials(); ++m)
    if (const Gaps* gaps = data.gaps(m))
      for (const int n : gaps->channel) observed(n) -= 1.0;
  return (observed.array() > 0).select((total / observed.array().max(1.0)).sqrt(), 0.0);
}

Shape shape_of(const Eigen::Map<const Matrix>& Y, Index n_components) {
  return {.n_channels = Y.rows(), .n_times = Y.cols(), .n_components = n_components, .stride = Y.cols()};
}

}  // namespace

bool Moments::is_dense(Index n_channels, Index n_times) {
  return n_channels <= kAlwaysDense || n_channels <= n_times;
}

Moments::Moments(const TrialData& data, Index n_components) {
  const bool keep_dense = is_dense(data.n_channels(), total_times(data));
  if (data.has_gaps() && observed_together(data).n_apart > 0) {
    filled_ = complete_samples(data, kRankPerComponent * n_components);
    if (keep_dense) {
      dense_.setZero(data.n_channels(), data.n_channels());
      for (const Matrix& Y : filled_) dense_.selfadjointView<Eigen::Lower>().rankUpdate(Y);
      dense_ = Matrix(dense_.selfadjointView<Eigen::Lower>());
      filled_.clear();
    }
    for (const Matrix& Y : filled_) samples_.emplace_back(Y.data(), Y.rows(), Y.cols());
  } else if (keep_dense) {
    dense_ = second_moments(data);
  } else {
    *this = of_samples(data);
  }
}

Moments Moments::of_samples(const TrialData& data) {
  Moments moments;
  Vector scale;
  if (data.has_gaps()) scale = scale_of_channels(data);
  for (std::size_t m = 0; m < data.n_trials(); ++m) {
    TrialBuffer buffer;
    const TrialData::View Y = data.values(m, buffer);
    const double* values = Y.data();
    if (scale.size() > 0)
      values = moments.filled_.emplace_back(scale.asDiagonal() * Y).data();
    else if (values == buffer.doubles.data())
      values = moments.filled_.emplace_back(std::move(buffer.doubles)).data();
    moments.samples_.emplace_back(values, Y.rows(), Y.cols());
  }
  return moments;
}

Index Moments::n_channels() const {
  return samples_.empty() ? dense_.rows() : samples_[0].rows();
}

Vector Moments::diagonal() const {
  if (samples_.empty()) return dense_.diagonal();
  Vector sum = Vector::Zero(n_channels());
  for (const auto& Y : samples_)
    for (Index t = 0; t < Y.cols(); ++t) sum += Y.col(t).cwiseAbs2();
  return sum;
}

Vector Moments::column(Index channel) const {
  if (samples_.empty()) return dense_.col(channel);
  Vector sum = Vector::Zero(n_channels());
  for (const auto& Y : samples_)
    for (Index t = 0; t < Y.cols(); ++t) sum += Y(channel, t) * Y.col(t);
  return sum;
}

Matrix Moments::times(const Matrix& A) const {
  Matrix product = Matrix::Zero(n_channels(), A.cols());
  if (samples_.empty()) {  // S is symmetric, and its own transpose
    const Eigen::Map<const Matrix> S(dense_.data(), dense_.rows(), dense_.cols());
    kernels().project(shape_of(S, A.cols()), S.data(), A.data(), product.data());
    return product;
  }
  Matrix projection;
  for (const auto& Y : samples_) {
    projection.resize(Y.cols(), A.cols());
    const Shape shape = shape_of(Y, A.cols());
    kernels().project(shape, Y.data(), A.data(), projection.data());
    kernels().accumulate(shape, Y.data(), projection.data(), product.data());
  }
  return product;
}

Matrix second_moments(const TrialData& data) {
  const Index N = data.n_channels();
  Matrix S = Matrix::Zero(N, N);
  TrialBuffer buffer;
  Matrix observed_pairs;
  double n_times = 0;
  const bool has_gaps = data.has_gaps();
  if (has_gaps) observed_pairs.setZero(N, N);
  for (std::size_t m = 0; m < data.n_trials(); ++m) {
    const TrialData::View Y = data.values(m, buffer);
    S.selfadjointView<Eigen::Lower>().rankUpdate(Y);
    n_times += static_cast<double>(Y.cols());
    if (!has_gaps) continue;
    Matrix observed = Matrix::Ones(N, Y.cols());
    if (const Gaps* gaps = data.gaps(m))
      for (Index t = 0; t < Y.cols(); ++t)
        for (int g = gaps->first[static_cast<std::size_t>(t)];
             g < gaps->first[static_cast<std::size_t>(t) + 1]; ++g)
          observed(gaps->channel[static_cast<std::size_t>(g)], t) = 0.0;
    observed_pairs.selfadjointView<Eigen::Lower>().rankUpdate(observed);
  }
  S = S.selfadjointView<Eigen::Lower>();
  if (has_gaps) {
    observed_pairs = observed_pairs.selfadjointView<Eigen::Lower>();
    S = (observed_pairs.array() > 0)
            .select(S.array() * n_times / observed_pairs.array().max(1.0), 0.0)
            .matrix();
  }
  return S;
}

}  // namespace milcci
