// The channels' second moments, as the sparse dictionary asks for them.
#pragma once

#include <utility>
#include <vector>

#include "data/trial_data.hpp"
#include "milcci/types.hpp"

namespace milcci {

/// S = sum_m Y_m Y_m', N x N. In memory as S itself where that is no larger than the data it is made of (or
/// small anyway), and as the data otherwise: S A = sum_m Y_m (Y_m' A). Neither form has more than about as
/// many numbers as the data.
///
/// With gaps every channel counts as if it had been observed throughout. S itself is averaged pair by pair
/// over the time points where both channels were observed, and scaled up to all of them. The data instead
/// read zero where they are missing, and channel n is scaled by sqrt(all / observed time points): then the
/// diagonal is that of S, and so are channels that are missing together; moments of channels whose gaps have
/// nothing to do with each other are too small by the share that is missing. S stays positive semidefinite.
class Moments {
 public:
  /// Refers to the values of the data, which must outlive it (they may be moved meanwhile).
  explicit Moments(const TrialData& data);
  /// S as it is.
  explicit Moments(Matrix S) : dense_(std::move(S)) {}
  /// Whether so many time points of so many channels are kept as S.
  static bool is_dense(Index n_channels, Index n_times);
  /// The data's form for any number of channels.
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

  Matrix dense_;  ///< or
  std::vector<Eigen::Map<const Matrix>> samples_;
  std::vector<Matrix> filled_;  ///< samples that the data do not hold as they are needed
};

/// S in full, pair by pair.
Matrix second_moments(const TrialData& data);

}  // namespace milcci
