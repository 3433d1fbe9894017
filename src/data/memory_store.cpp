#include "data/memory_store.hpp"

#include <utility>

namespace milcci {
namespace {

template <class Scalar>
const Scalar* pack(const BorrowedTrial& trial, const Scalar* values, Eigen::MatrixX<Scalar>& packed,
                   Index n_channels) {
  using Strided = Eigen::Map<const Eigen::MatrixX<Scalar>, 0, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>>;
  packed = Strided(values, n_channels, trial.n_times, {trial.time_stride, trial.channel_stride});
  return packed.data();
}

}  // namespace

MemoryStore::MemoryStore(Index n_channels, std::vector<BorrowedTrial> trials,
                         std::shared_ptr<const void> owner)
    : n_channels_(n_channels), trials_(std::move(trials)), owner_(std::move(owner)) {}

TrialValues MemoryStore::values(std::size_t m, TrialBuffer& buffer) const {
  const BorrowedTrial& trial = trials_[m];
  TrialValues y{.values = trial.values, .n_channels = n_channels_, .n_times = trial.n_times};
  const bool is_packed = (trial.channel_stride == 1 || n_channels_ == 1) &&
                         (trial.time_stride == n_channels_ || trial.n_times == 1);
  if (is_packed) return y;
  if (const float* floats = y.floats())
    y.values = pack(trial, floats, buffer.floats, n_channels_);
  else
    y.values = pack(trial, y.doubles(), buffer.doubles, n_channels_);
  return y;
}

}  // namespace milcci
