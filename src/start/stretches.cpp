#include "start/stretches.hpp"

namespace milcci {
namespace {

// step_weights are (typical step / step)^2.
constexpr double kJump = 3.0, kWeightOfJump = 1.0 / (kJump * kJump);

// [begin, end) in equal parts.
void cut(Index begin, Index end, Index width, std::vector<Stretch>& result) {
  const Index length = end - begin, n = (length + width - 1) / width;
  for (Index i = 0; i < n; ++i) {
    const Index first = begin + i * length / n, next = begin + (i + 1) * length / n;
    result.push_back({first, next - first});
  }
}

}  // namespace

std::vector<Stretch> stretches(const TrialData& data, std::size_t m, Index width) {
  const Vector& weights = data.step_weights(m);
  std::vector<Stretch> result;
  Index begin = 0;
  for (Index t = 0; t < weights.size(); ++t)
    if (weights(t) < kWeightOfJump) {
      cut(begin, t + 1, width, result);
      begin = t + 1;
    }
  cut(begin, data.n_times(m), width, result);
  return result;
}

}  // namespace milcci
