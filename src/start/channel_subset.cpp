#include "start/channel_subset.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "loop/alternate.hpp"
#include "util/random.hpp"

namespace milcci {
namespace {

constexpr Index kMostOfAll = 2048, kChosen = 1024;
// So many channels of every group, and of every trial, as there are; per component where that is more.
constexpr Index kFewest = 16, kFewestPerComponent = 4;
// Half of the chance to be drawn is the same for all channels, half goes by energy: a component on a few
// strong channels is not overlooked, and neither is one on many weak ones.
constexpr double kAlike = 0.5;
constexpr std::uint64_t kStream = 0xc4a57;

std::size_t size(Index n) {
  return static_cast<std::size_t>(n);
}

std::vector<Index> all_channels(Index n_channels) {
  std::vector<Index> all(size(n_channels));
  std::iota(all.begin(), all.end(), Index{0});
  return all;
}

// The channels that are not silent in a random order: each comes next with a chance in proportion to
// its weight. Clocks with these rates ring in such an order.
std::vector<Index> draw_order(const TrialData& data, std::uint64_t seed) {
  Random random(seed, kStream);
  Vector energy(data.n_channels());
  for (Index n = 0; n < energy.size(); ++n) energy(n) = data.energy_of_channel(n);
  const double total = energy.sum(), n_active = static_cast<double>((energy.array() > 0).count());
  Vector rings_at(energy.size());
  for (Index n = 0; n < energy.size(); ++n) {
    const double weight = kAlike / n_active + (1.0 - kAlike) * energy(n) / total;
    rings_at(n) = -std::log(1.0 - random.uniform()) / weight;
  }
  std::vector<Index> order = all_channels(energy.size());
  std::erase_if(order, [&](Index n) { return !(energy(n) > 0); });
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return rings_at(a) < rings_at(b); });
  return order;
}

// Per channel, whether it has a value in the trial, which has gaps.
std::vector<bool> channels_of_trial(const TrialData& data, std::size_t m) {
  std::vector<Index> n_missing(size(data.n_channels()), 0);
  for (const int n : data.gaps(m)->channel) ++n_missing[size(n)];
  std::vector<bool> has;
  for (const Index missing : n_missing) has.push_back(missing < data.n_times(m));
  return has;
}

// Takes channels in the order in which they were drawn.
class Choice {
 public:
  explicit Choice(std::vector<Index> order, Index n_channels)
      : order_(std::move(order)), is_chosen_(size(n_channels), false) {}

  // Until there are `wanted` of the channels for which `belongs`.
  template <class Belongs>
  void take(Index wanted, const Belongs& belongs) {
    for (const Index n : order_) wanted -= is_chosen_[size(n)] && belongs(n);
    for (auto next = order_.begin(); wanted > 0 && next != order_.end(); ++next) {
      if (is_chosen_[size(*next)] || !belongs(*next)) continue;
      is_chosen_[size(*next)] = true;
      --wanted;
    }
  }
  void take_of_every_group(Index wanted, const std::vector<int>& group) {
    std::vector<Index> missing(size(*std::max_element(group.begin(), group.end()) + 1), wanted);
    for (const Index n : order_)
      if (missing[size(group[size(n)])]-- > 0) is_chosen_[size(n)] = true;
  }
  std::vector<Index> sorted() const {
    std::vector<Index> chosen = all_channels(std::ssize(is_chosen_));
    std::erase_if(chosen, [&](Index n) { return !is_chosen_[size(n)]; });
    return chosen;
  }

 private:
  std::vector<Index> order_;
  std::vector<bool> is_chosen_;
};

}  // namespace

Index n_chosen_channels(Index n_channels) {
  return n_channels <= kMostOfAll ? n_channels : kChosen;
}

std::vector<Index> choose_channels(const TrialData& data, Index n_components, std::uint64_t seed) {
  const Index N = data.n_channels(), wanted = n_chosen_channels(N);
  if (wanted == N || !(data.energy() > 0)) return all_channels(N);
  Choice choice(draw_order(data, seed), N);
  const std::vector<int>& group = data.channel_group();
  if (!group.empty()) {
    const Index n_groups = *std::max_element(group.begin(), group.end()) + 1;
    choice.take_of_every_group(std::min(kFewest, wanted / n_groups), group);
  }
  choice.take(wanted, [](Index) { return true; });
  for (std::size_t m = 0; m < data.n_trials(); ++m) {
    if (data.gaps(m) == nullptr) continue;
    const std::vector<bool> has = channels_of_trial(data, m);
    choice.take(std::max(kFewest, kFewestPerComponent * n_components), [&](Index n) { return has[size(n)]; });
  }
  return choice.sorted();
}

Components fill_in(const TrialData& data, const Design& design, const FitOptions& options,
                   const std::vector<Index>& chosen, Components components, Monitor monitor) {
  if (std::ssize(chosen) == data.n_channels()) return components;
  State state;
  for (std::vector<Matrix>& variants : components) {
    std::vector<Matrix>& filled = state.components.emplace_back();
    for (Matrix& variant : variants) {
      filled.push_back(Matrix::Zero(data.n_channels(), variant.cols()));
      filled.back()(chosen, Eigen::all) = variant;
      variant.resize(0, 0);  // freed as soon as it is no longer needed
    }
  }
  const Stage stage{.number = 0,
                    .sparsity = options.sparsity.value_or(kDefaultSparsity),
                    .max_iterations = 1,
                    .is_accelerated = false,
                    .rounds = 1};
  alternate(data, design, options, stage, state, monitor);
  return std::move(state.components);
}

}  // namespace milcci
