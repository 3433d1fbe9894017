// The channels' second moments, as the sparse dictionary asks for them.
#pragma once

#include <utility>
#include <vector>

#include "data/trial_data.hpp"
#include "milcci/types.hpp"

namespace milcci {

/// S = sum_m Y_m Y_m', N x N. Kept as S itself where that is no larger than the data it is made of
/// (or small anyway), and as the data otherwise: S A = sum_m Y_m (Y_m' A). Neither form has many
/// more numbers than the data.
///
/// With gaps every channel counts as if it had been observed throughout. S itself is averaged pair
/// by pair over the time points where both channels were observed, and scaled up to all of them. In
/// the form of the data, missing entries read zero and channel n is scaled by sqrt(all / observed
/// time points). Then the diagonal is that of S, and so are the moments of channels that are
/// missing together; moments of channels with unrelated gaps are too small by the share that is
/// missing. S stays positive semidefinite.
///
/// Pairs of channels that were never observed together have no average, and zero in its place would
/// contradict the other moments. If there are such pairs, S is that of the data with all gaps filled
/// in at low rank (`complete_samples`), in either form.
class Moments {
 public:
  /// Refers to the values of the data, which must outlive it (they may be moved in the meantime).
  /// `n_components`: how many will be asked for, which decides the rank of what is filled in.
  Moments(const TrialData& data, Index n_components);
  /// S as it is.
  explicit Moments(Matrix S) : dense_(std::move(S)) {}
  /// Whether this many time points of this many channels are kept as S.
  static bool is_dense(Index n_channels, Index n_times);
  /// Kept as the data, for any number of channels.
  static Moments of_samples(const TrialData& data);
  Moments(Moments&&) = default;  // not copied: it points into its own storage
  Moments& operator=(Moments&&) = default;

  Index n_channels() const;
  Vector diagonal() const;
  Vector column(Index channel) const;
  /// S A, N x P.
  Matrix times(const Matrix& A) const;

 private:
  Moments() = default;

  Matrix dense_;  ///< S; empty if the samples are kept instead
  std::vector<Eigen::Map<const Matrix>> samples_;
  std::vector<Matrix> filled_;  ///< samples that the data do not hold in the form needed
};

/// S in full, pair by pair.
Matrix second_moments(const TrialData& data);

}  // namespace milcci
