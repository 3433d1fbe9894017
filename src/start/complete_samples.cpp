#include "start/complete_samples.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "util/random.hpp"

namespace milcci {
namespace {

// The weight mu, as a share of the largest singular value; how often to alternate, and the relative
// change of B Z at which it has settled.
constexpr double kShrink = 0.005, kSettled = 1e-3;
constexpr int kMaxRounds = 100, kPowerRounds = 3;
constexpr std::uint64_t kSeed = 0x1f111, kStream = 0;

// All time points side by side. Missing entries are zero.
struct Samples {
  Matrix Y;                           // N x T
  std::vector<std::string> observed;  // per time point, a character per channel: 1 or 0

  explicit Samples(const TrialData& data) {
    Index total = 0;
    for (std::size_t m = 0; m < data.n_trials(); ++m) total += data.n_times(m);
    Y.resize(data.n_channels(), total);
    observed.assign(static_cast<std::size_t>(total),
                    std::string(static_cast<std::size_t>(data.n_channels()), '1'));
    TrialBuffer buffer;
    Index first = 0;
    for (std::size_t m = 0; m < data.n_trials(); first += data.n_times(m++)) {
      Y.middleCols(first, data.n_times(m)) = data.values(m, buffer);
      const Gaps* gaps = data.gaps(m);
      if (gaps == nullptr) continue;
      for (std::size_t t = 0; t < static_cast<std::size_t>(data.n_times(m)); ++t)
        for (int g = gaps->first[t]; g < gaps->first[t + 1]; ++g)
          observed[static_cast<std::size_t>(first) + t]
                  [static_cast<std::size_t>(gaps->channel[static_cast<std::size_t>(g)])] = '0';
    }
  }
};

std::vector<std::string> transposed(const std::vector<std::string>& rows) {
  std::vector<std::string> out(rows[0].size(), std::string(rows.size(), '0'));
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < out.size(); ++j) out[j][i] = rows[i][j];
  return out;
}

// Columns of a problem that observe the same rows.
struct Pattern {
  std::string observed;  // per row
  std::vector<Index> columns;
};

std::vector<Pattern> find_patterns(const std::vector<std::string>& observed) {
  std::map<std::string, std::vector<Index>> columns;
  for (std::size_t c = 0; c < observed.size(); ++c) columns[observed[c]].push_back(static_cast<Index>(c));
  std::vector<Pattern> patterns;
  for (auto& [rows, same] : columns) patterns.push_back({rows, std::move(same)});
  return patterns;
}

// For every column y: min_z sum over its observed rows of (y - F z)^2 + mu |z|^2. `product` is Y'
// F, one row per column, and becomes the solutions.
void regress(const Matrix& F, const std::vector<Pattern>& patterns, double mu, Matrix& product) {
  Matrix seen(F.rows(), F.cols());
  for (const Pattern& pattern : patterns) {
    Index n_seen = 0;
    for (Index n = 0; n < F.rows(); ++n)
      if (pattern.observed[static_cast<std::size_t>(n)] == '1') seen.row(n_seen++) = F.row(n);
    Matrix gram = seen.topRows(n_seen).transpose() * seen.topRows(n_seen);
    gram.diagonal().array() += mu;
    const Matrix solution = gram.llt().solve(product(pattern.columns, Eigen::all).transpose());
    product(pattern.columns, Eigen::all) = solution.transpose();
  }
}

// Missing entries become their channel's mean.
Matrix with_means(const Samples& samples, const std::vector<std::string>& observed_of_channel) {
  Matrix filled = samples.Y;
  for (Index n = 0; n < filled.rows(); ++n) {
    const std::string& observed = observed_of_channel[static_cast<std::size_t>(n)];
    const auto count = static_cast<double>(std::count(observed.begin(), observed.end(), '1'));
    const double mean = count > 0 ? samples.Y.row(n).sum() / count : 0.0;
    for (Index t = 0; t < filled.cols(); ++t)
      if (observed[static_cast<std::size_t>(t)] == '0') filled(n, t) = mean;
  }
  return filled;
}

// The leading directions of the channels, N x r, orthonormal.
Matrix leading_directions(const Matrix& Y, Index rank) {
  Random random(kSeed, kStream);
  Matrix Q = random.normal(Y.rows(), rank);
  for (int round = 0; round < kPowerRounds; ++round) {
    const Matrix projection = Y.transpose() * Q;
    const Eigen::HouseholderQR<Matrix> qr(Y * projection);
    Q = qr.householderQ() * Matrix::Identity(Y.rows(), rank);
  }
  return Q;
}

// <B Z', C X'>, without making either product.
double inner(const Matrix& B, const Matrix& Z, const Matrix& C, const Matrix& X) {
  return (B.transpose() * C).cwiseProduct(Z.transpose() * X).sum();
}

}  // namespace

std::vector<Matrix> complete_samples(const TrialData& data, Index rank) {
  const Samples samples(data);
  const std::vector<std::string> of_channel = transposed(samples.observed);
  const std::vector<Pattern> times = find_patterns(samples.observed), channels = find_patterns(of_channel);
  rank = std::min({rank, samples.Y.rows(), samples.Y.cols()});

  Matrix B, Z;
  double mu = 0;
  {
    const Matrix filled = with_means(samples, of_channel);
    B = leading_directions(filled, rank);
    Z = filled.transpose() * B;
    const Vector length = Z.colwise().norm().transpose();
    mu = kShrink * length.maxCoeff();
    B *= length.cwiseSqrt().asDiagonal();
  }
  Z = Matrix::Zero(samples.Y.cols(), rank);
  for (int round = 0; round < kMaxRounds; ++round) {
    const Matrix old_B = B, old_Z = Z;
    Z = samples.Y.transpose() * B;
    regress(B, times, mu, Z);
    B = samples.Y * Z;
    regress(Z, channels, mu, B);
    const double now = inner(B, Z, B, Z);
    const double change = now - 2 * inner(B, Z, old_B, old_Z) + inner(old_B, old_Z, old_B, old_Z);
    if (!(change > kSettled * kSettled * now)) break;
  }

  std::vector<Matrix> completed;
  Index first = 0;
  for (std::size_t m = 0; m < data.n_trials(); first += data.n_times(m++)) {
    Matrix& y = completed.emplace_back(samples.Y.middleCols(first, data.n_times(m)));
    for (Index t = 0; t < y.cols(); ++t)
      for (Index n = 0; n < y.rows(); ++n)
        if (samples.observed[static_cast<std::size_t>(first + t)][static_cast<std::size_t>(n)] == '0')
          y(n, t) = B.row(n).dot(Z.row(first + t));
  }
  return completed;
}

}  // namespace milcci
