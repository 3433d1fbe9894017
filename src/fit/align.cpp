#include "fit/align.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "solvers/assignment.hpp"

namespace milcci {
namespace {

using Neighbours = std::vector<std::vector<Design::Neighbour>>;

// Twice the consistency term falls by this sum, as exchanges keep all lengths.
double agreement(const Neighbours& neighbours, const std::vector<Matrix>& variants) {
  double sum = 0.0;
  for (std::size_t i = 0; i < variants.size(); ++i)
    for (const Design::Neighbour& other : neighbours[i])
      sum += other.weight * variants[i].cwiseProduct(variants[static_cast<std::size_t>(other.option)]).sum();
  return sum;
}

// Every option after those it is tied to most.
std::vector<std::size_t> along_the_graph(const Neighbours& neighbours) {
  const std::size_t n_options = neighbours.size();
  std::vector<double> tie(n_options, 0.0);
  std::vector<char> is_placed(n_options, 0);
  std::vector<std::size_t> order;
  while (order.size() < n_options) {
    std::size_t next = n_options;
    for (std::size_t i = 0; i < n_options; ++i)
      if (!is_placed[i] && (next == n_options || tie[i] > tie[next])) next = i;
    is_placed[next] = 1;
    order.push_back(next);
    for (const Design::Neighbour& other : neighbours[next])
      tie[static_cast<std::size_t>(other.option)] += other.weight;
  }
  return order;
}

// The order of option i's components that agrees best with its neighbours among `is_known`.
std::vector<Index> best_order(const Neighbours& neighbours, const std::vector<Matrix>& variants,
                              const std::vector<char>& is_known, std::size_t i) {
  Matrix target = Matrix::Zero(variants[i].rows(), variants[i].cols());
  for (const Design::Neighbour& other : neighbours[i]) {
    const auto o = static_cast<std::size_t>(other.option);
    if (is_known[o]) target += other.weight * variants[o];
  }
  return assign(-target.transpose() * variants[i]);
}

// The order of the components under every option.
std::vector<std::vector<Index>> align_category(const Neighbours& neighbours, std::vector<Matrix> variants) {
  constexpr int kMaxRounds = 10;
  std::vector<Index> as_is(static_cast<std::size_t>(variants[0].cols()));
  std::iota(as_is.begin(), as_is.end(), Index{0});
  std::vector<std::vector<Index>> order(variants.size(), as_is);
  std::vector<char> is_known(variants.size(), 0);
  const double before = agreement(neighbours, variants);
  const auto rearrange = [&](std::size_t i) {
    const std::vector<Index> better = best_order(neighbours, variants, is_known, i);
    is_known[i] = 1;
    if (better == as_is) return false;
    variants[i] = variants[i](Eigen::all, better).eval();
    const std::vector<Index> old = order[i];
    for (std::size_t j = 0; j < old.size(); ++j) order[i][j] = old[static_cast<std::size_t>(better[j])];
    return true;
  };
  // The first round follows the graph from option to option, so that a trade that begins at one option and
  // lasts to the end is undone as a whole.
  for (int round = 0; round < kMaxRounds; ++round) {
    bool has_changed = false;
    for (const std::size_t i : along_the_graph(neighbours)) has_changed |= rearrange(i);
    if (!has_changed) break;
  }
  constexpr double kClearly = 1e-9;
  if (!(agreement(neighbours, variants) > before + kClearly * std::abs(before)))
    order.assign(variants.size(), as_is);
  return order;
}

}  // namespace

bool align_variants(const Design& design, State& state) {
  bool has_changed = false;
  for (std::size_t k = 0; k < design.n_categories(); ++k) {
    if (design.n_components(k) < 2 || design.n_options(k) < 2) continue;
    const auto order = align_category(design.neighbours[k], state.components[k]);
    std::vector<char> is_changed(order.size(), 0);
    for (std::size_t i = 0; i < order.size(); ++i) {
      is_changed[i] = !std::is_sorted(order[i].begin(), order[i].end());
      has_changed |= is_changed[i] != 0;
      state.components[k][i] = state.components[k][i](Eigen::all, order[i]).eval();
    }
    std::vector<Index> all(static_cast<std::size_t>(design.n_components()));
    for (std::size_t m = 0; m < state.traces.size(); ++m) {
      const auto i =
          static_cast<std::size_t>(design.labels[static_cast<std::size_t>(design.label_of_trial[m])][k]);
      if (!is_changed[i]) continue;
      std::iota(all.begin(), all.end(), Index{0});
      for (std::size_t j = 0; j < order[i].size(); ++j)
        all[static_cast<std::size_t>(design.first[k]) + j] = design.first[k] + order[i][j];
      state.traces[m] = state.traces[m](Eigen::all, all).eval();
      if (!state.transitions.empty()) state.transitions[m] = state.transitions[m](all, all).eval();
    }
  }
  return has_changed;
}

}  // namespace milcci
