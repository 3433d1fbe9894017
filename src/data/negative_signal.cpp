// For every channel one other channel, the guide, and its sign are chosen in every second piece of the
// trials: where the guide has that sign, the channel is below zero most clearly. The other pieces judge. What
// was chosen by chance is above zero there as often as below, and pieces do not know each other, so the
// spread of their sums is the error of the total.
#include "data/negative_signal.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace milcci {
namespace {

constexpr Index kPiece = 50;              // samples; noise is not correlated for longer
constexpr std::size_t kFewestPieces = 8;  // to choose and to judge by
constexpr Index kSampledTimes = 20'000;   // in all pieces that are looked at
constexpr Index kMostGuides = 64;         // channels
constexpr double kErrors = 4;             // that a sum must be below zero
// No sum of n pieces is further than sqrt(n) errors from zero: of few, nearly all that is possible.
constexpr double kShareOfPossible = 0.95;
constexpr double kErrorsOfOne = 1;      // of a channel, if all together are that far
constexpr double kLeastEnergy = 0.002;  // share of all

struct Piece {
  std::size_t trial;
  Index first, length;
};

// Pieces of all trials; of many, some at equal steps.
std::vector<Piece> cut(const TrialSource& trials) {
  std::vector<Piece> pieces;
  Index n_times = 0;
  for (std::size_t m = 0; m < trials.n_trials(); ++m) {
    const Index T = trials.n_times(m), n = (T + kPiece - 1) / kPiece;
    for (Index i = 0; i < n; ++i) pieces.push_back({m, i * T / n, (i + 1) * T / n - i * T / n});
    n_times += T;
  }
  const auto step = static_cast<std::size_t>(std::max<Index>(1, n_times / kSampledTimes));
  std::vector<Piece> some;
  for (std::size_t i = 0; i < pieces.size(); i += step) some.push_back(pieces[i]);
  return some;
}

// The values of a piece with zeros where they are missing, and ones where they are not.
struct Values {
  Matrix known, is_observed;
  Values(const TrialSource& trials, const Piece& piece, TrialBuffer& buffer) {
    const auto y = trials.doubles(piece.trial, buffer).middleCols(piece.first, piece.length).array();
    known = y.isNaN().select(0.0, y);
    is_observed = (!y.isNaN()).cast<double>();
  }
};

enum Sign : std::size_t { kAbove, kBelow };

Matrix has_sign(const Matrix& known, Sign sign) {
  return sign == kAbove ? Matrix((known.array() > 0).cast<double>())
                        : Matrix((known.array() < 0).cast<double>());
}

// Whose sign tells when the channel is below zero.
struct Guide {
  Index channel = -1;  // -1: none, not even by chance
  Sign sign = kAbove;
};

std::vector<Guide> choose_guides(const TrialSource& trials, const std::vector<Piece>& pieces) {
  const Index N = trials.n_channels(), n_guides = std::min(N, kMostGuides);
  std::vector<Index> guides;
  for (Index g = 0; g < n_guides; ++g) guides.push_back(g * N / n_guides);
  std::array<Matrix, 2> sum, count;
  sum.fill(Matrix::Zero(N, n_guides)), count.fill(Matrix::Zero(N, n_guides));
  TrialBuffer buffer;
  for (std::size_t i = 0; i < pieces.size(); i += 2) {
    const Values values(trials, pieces[i], buffer);
    for (const Sign sign : {kAbove, kBelow}) {
      const Matrix is_on = has_sign(values.known(guides, Eigen::all), sign).transpose();
      sum[sign] += values.known * is_on;
      count[sign] += values.is_observed * is_on;
    }
  }
  std::vector<Guide> chosen(static_cast<std::size_t>(N));
  for (Index n = 0; n < N; ++n) {
    double lowest = 0;
    for (Index g = 0; g < n_guides; ++g)
      for (const Sign sign : {kAbove, kBelow}) {
        if (guides[static_cast<std::size_t>(g)] == n || count[sign](n, g) == 0) continue;
        const double clarity = sum[sign](n, g) / std::sqrt(count[sign](n, g));
        if (clarity >= lowest) continue;
        lowest = clarity;
        chosen[static_cast<std::size_t>(n)] = {guides[static_cast<std::size_t>(g)], sign};
      }
  }
  return chosen;
}

// What a channel is while its guide is on, in the pieces that judge.
struct Judged {
  double sum = 0, squares = 0, count = 0;  // squares of the pieces' sums
  double energy = 0;                       // of all its values there

  double in_errors() const { return squares > 0 ? sum / std::sqrt(squares) : 0.0; }
};

std::vector<Judged> judge(const TrialSource& trials, const std::vector<Piece>& pieces,
                          const std::vector<Guide>& guides) {
  std::vector<Judged> channels(guides.size());
  TrialBuffer buffer;
  for (std::size_t i = 1; i < pieces.size(); i += 2) {
    const Values values(trials, pieces[i], buffer);
    for (std::size_t n = 0; n < channels.size(); ++n) {
      Judged& channel = channels[n];
      const auto row = static_cast<Index>(n);
      channel.energy += values.known.row(row).squaredNorm();
      if (guides[n].channel < 0) continue;
      const Matrix is_on = has_sign(values.known.row(guides[n].channel), guides[n].sign);
      const double sum = values.known.row(row).dot(is_on.row(0));
      channel.sum += sum, channel.squares += sum * sum;
      channel.count += values.is_observed.row(row).dot(is_on.row(0));
    }
  }
  return channels;
}

std::vector<Index> channels_with_negative_values(const TrialSource& trials) {
  std::vector<bool> has_negative(static_cast<std::size_t>(trials.n_channels()), false);
  TrialBuffer buffer;
  for (std::size_t m = 0; m < trials.n_trials(); ++m) {
    const auto y = trials.doubles(m, buffer);
    for (Index n = 0; n < y.rows(); ++n)
      if ((y.row(n).array() < 0).any()) has_negative[static_cast<std::size_t>(n)] = true;
  }
  std::vector<Index> found;
  for (std::size_t n = 0; n < has_negative.size(); ++n)
    if (has_negative[n]) found.push_back(static_cast<Index>(n));
  return found;
}

}  // namespace

std::vector<Index> find_negative_channels(const TrialSource& trials) {
  const std::vector<Piece> pieces = cut(trials);
  if (pieces.size() < kFewestPieces || trials.n_channels() < 2) return channels_with_negative_values(trials);
  const std::vector<Judged> channels = judge(trials, pieces, choose_guides(trials, pieces));

  const auto n_judging = static_cast<double>(pieces.size() / 2);
  const double far = std::min(kErrors, kShareOfPossible * std::sqrt(n_judging));

  // All together, each in units of its own size.
  double sum = 0, squares = 0, all_energy = 0;
  for (const Judged& channel : channels) {
    all_energy += channel.energy;
    if (!(channel.energy > 0)) continue;
    sum += channel.sum / std::sqrt(channel.energy);
    squares += channel.squares / channel.energy;
  }
  const bool are_below = sum < -kErrors * std::sqrt(squares);
  std::vector<Index> found;
  double energy = 0;
  for (std::size_t n = 0; n < channels.size(); ++n) {
    if (!(channels[n].in_errors() < -(are_below ? kErrorsOfOne : far))) continue;
    found.push_back(static_cast<Index>(n));
    energy += channels[n].sum * channels[n].sum / channels[n].count;
  }
  if (energy < kLeastEnergy * all_energy) found.clear();
  return found;
}

}  // namespace milcci
