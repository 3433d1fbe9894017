#include "start/moves.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <span>
#include <utility>

#include "start/dictionary.hpp"
#include "util/parallel.hpp"

namespace milcci {
namespace {

// Swaps that are tried in a round; more cost more than they find.
constexpr std::size_t kMaxSwaps = 64;
// Every move gets the few iterations, the best ones the many as well.
constexpr int kFewIterations = 15, kManyIterations = 150;
constexpr std::size_t kPursued = 3;
// What a component leaves behind is looked at after the others had this long to take over.
constexpr int kTakeOverIterations = 5;
// A fall of F by less than this share of it is not worth another round.
constexpr double kWorthwhile = 1e-4;
// Refits that are this much higher after a few iterations will not come close.
constexpr double kHopeless = 1.2;
// Moves that are tried before one of them may be made; whatever the number of threads.
constexpr std::size_t kTogether = 8;
// Memberships of one neighbour, of which many are kept.
constexpr std::size_t kLarge = 1 << 18;

// Y - A Phi where there are data, zero elsewhere.
TrialData residuals(const SearchProblem& problem, const State& state) {
  Trials trials;
  TrialBuffer buffer;
  for (std::size_t m = 0; m < problem.data.n_trials(); ++m) {
    const auto label = static_cast<std::size_t>(problem.design.label_of_trial[m]);
    Matrix residual = problem.data.values(m, buffer);
    residual.noalias() -= loading(problem.design, state.components, label) * state.traces[m].transpose();
    if (const Gaps* gaps = problem.data.gaps(m))
      for (Index t = 0; t < residual.cols(); ++t)
        for (int g = gaps->first[static_cast<std::size_t>(t)];
             g < gaps->first[static_cast<std::size_t>(t) + 1]; ++g)
          residual(gaps->channel[static_cast<std::size_t>(g)], t) = 0.0;
    trials.values.push_back(std::move(residual));
  }
  return TrialData(std::move(trials));
}

void regrow(const SearchProblem& problem, Index j, Candidate& candidate) {
  const Design& design = problem.design;
  set_component(design, j, Vector::Zero(problem.data.n_channels()), candidate.state.components);
  continue_candidate(problem, problem.sparsity(), kTakeOverIterations, candidate);
  const TrialData left = residuals(problem, candidate.state);
  Random random(problem.options.seed, static_cast<std::uint64_t>(j));
  const Matrix grown = sparse_dictionary(Moments(left, 1), 1, dictionary_options(problem.options), random);
  candidate.state.traces.clear();
  set_component(design, j, grown.col(0), candidate.state.components);
}

void swap(const SearchProblem& problem, Index first, Index second, Candidate& candidate) {
  const Matrix mean = mean_components(problem.design, candidate.state.components);
  candidate.state.traces.clear();
  set_component(problem.design, second, mean.col(first), candidate.state.components);
  set_component(problem.design, first, mean.col(second), candidate.state.components);
}

void sort_by_objective(std::vector<Neighbour>& neighbours) {
  std::stable_sort(neighbours.begin(), neighbours.end(), [](const Neighbour& a, const Neighbour& b) {
    return a.candidate.record.objective < b.candidate.record.objective;
  });
}

// Keeps the best neighbour of every component that is moved, and in any case the best few. Where
// variants are large, only those.
void keep_best(const Design& design, std::vector<Neighbour>& neighbours) {
  sort_by_objective(neighbours);
  const bool are_large =
      !neighbours.empty() && n_values(design, neighbours[0].candidate.state.components) > kLarge;
  std::vector<Neighbour> kept;
  std::set<Index> seen;
  for (Neighbour& neighbour : neighbours) {
    const auto [first, second] = neighbour.move;
    const bool is_new = !seen.contains(first) || (second >= 0 && !seen.contains(second));
    if (kept.size() >= kPursued && (are_large || !is_new)) continue;
    seen.insert({first, second});
    kept.push_back(std::move(neighbour));
  }
  neighbours = std::move(kept);
}

// Of a candidate whose components are all alive.
std::size_t n_moves_of_all(const Design& design) {
  std::size_t n_swaps = 0;
  for (std::size_t k = 0; k < design.n_categories(); ++k)
    n_swaps +=
        static_cast<std::size_t>(design.n_components(k) * (design.n_components() - design.first[k + 1]));
  return std::min(n_swaps, kMaxSwaps) + static_cast<std::size_t>(design.n_components());
}

bool is_lower(const Candidate& a, const Candidate& b) {
  return a.record.objective < b.record.objective * (1.0 - kWorthwhile);
}

void pursue(const SearchProblem& problem, int threads, std::span<Neighbour> neighbours) {
  parallel_for(neighbours.size(), threads, [&](std::size_t i, int) {
    if (neighbours[i].is_pursued) return;
    continue_candidate(problem, problem.sparsity(), kManyIterations, neighbours[i].candidate);
    neighbours[i].is_pursued = true;
    problem.progress.add(kManyIterations);
  });
}

// One round of moves. Neighbours that lower F come first; nothing if interrupted.
std::vector<Neighbour> try_moves(const SearchProblem& problem, int threads, const Candidate& candidate) {
  const std::vector<Move> moves = possible_moves(problem, candidate);
  std::vector<Neighbour> best;
  for (std::size_t begin = 0; begin < moves.size(); begin += kTogether) {
    std::vector<Neighbour> tried(std::min(kTogether, moves.size() - begin));
    parallel_for(tried.size(), threads, [&](std::size_t i, int) {
      if (!problem.progress.is_stopped()) tried[i] = try_move(problem, moves[begin + i], candidate);
      problem.progress.add(kFewIterations);
    });
    if (problem.progress.is_stopped()) return {};
    std::move(tried.begin(), tried.end(), std::back_inserter(best));
    keep_best(problem.design, best);
    if (is_lower(best[0].candidate, candidate)) break;
  }
  pursue(problem, threads, std::span(best).first(std::min(best.size(), kPursued)));
  sort_by_objective(best);
  return best;
}

}  // namespace

std::vector<Move> possible_moves(const SearchProblem& problem, const Candidate& candidate) {
  const Design& design = problem.design;
  const Components& components = candidate.state.components;
  const std::vector<bool> is_dead = are_dead(components);
  State state = candidate.state;
  Matrix worth = own_gains(design, judge(problem, state).statistics, components);
  for (std::size_t k = 0; k < design.n_categories(); ++k)  // of all options, not per extra option
    worth.col(static_cast<Index>(k)) *= std::max(1, design.n_options(k) - 1);
  struct Promise {
    Move move;
    double value;
  };
  std::vector<Promise> swaps;
  std::vector<Move> moves;
  for (Index a = 0; a < design.n_components(); ++a) {
    if (is_dead[static_cast<std::size_t>(a)]) continue;
    moves.push_back({a, -1});
    const auto ka = static_cast<Index>(category_of(design, a));
    for (Index b = a + 1; b < design.n_components(); ++b) {
      const auto kb = static_cast<Index>(category_of(design, b));
      if (ka == kb || is_dead[static_cast<std::size_t>(b)]) continue;
      swaps.push_back({{a, b}, worth(a, kb) + worth(b, ka) - worth(a, ka) - worth(b, kb)});
    }
  }
  std::stable_sort(swaps.begin(), swaps.end(),
                   [](const Promise& a, const Promise& b) { return a.value > b.value; });
  if (swaps.size() > kMaxSwaps) swaps.resize(kMaxSwaps);
  for (const Promise& promise : swaps) moves.push_back(promise.move);
  return moves;
}

Neighbour try_move(const SearchProblem& problem, const Move& move, const Candidate& candidate) {
  Neighbour neighbour{move, candidate};
  if (move.second < 0)
    regrow(problem, move.first, neighbour.candidate);
  else
    swap(problem, move.first, move.second, neighbour.candidate);
  continue_candidate(problem, problem.sparsity(), kFewIterations, neighbour.candidate);
  return neighbour;
}

std::vector<Neighbour> improve_by_moves(const SearchProblem& problem, int max_rounds, int threads,
                                        Candidate& candidate) {
  for (int round = 0; round < max_rounds && !problem.progress.is_over(); ++round) {
    std::vector<Neighbour> neighbours = try_moves(problem, threads, candidate);
    if (neighbours.empty() || !is_lower(neighbours[0].candidate, candidate)) return neighbours;
    candidate = std::move(neighbours[0].candidate);
  }
  return {};
}

bool pursue_all(const SearchProblem& problem, int threads, std::vector<Neighbour>& neighbours,
                Candidate& candidate) {
  std::erase_if(neighbours, [&](const Neighbour& neighbour) {
    return neighbour.candidate.record.objective > kHopeless * candidate.record.objective;
  });
  pursue(problem, threads, neighbours);
  sort_by_objective(neighbours);
  if (neighbours.empty() || !is_lower(neighbours[0].candidate, candidate)) return false;
  std::swap(neighbours[0].candidate, candidate);
  return true;
}

NeighbourCounts count_neighbours(const Design& design, std::size_t n_memberships) {
  const std::size_t n_moves = n_moves_of_all(design);
  const std::size_t most =
      n_memberships > kLarge ? kPursued : static_cast<std::size_t>(design.n_components());
  return {.kept = std::min(n_moves, std::max(kPursued, most)), .tried = std::min(n_moves, kTogether)};
}

long iterations_of_moves(const Design& design) {
  return static_cast<long>(n_moves_of_all(design)) * kFewIterations +
         static_cast<long>(kPursued) * kManyIterations;
}

}  // namespace milcci
