// The counts below are those of searches of simulated and real data: 2 to 8 components, 20 to 20,000
// channels, up to 5,000 options, with and without gaps. Starts and iterations are measured here, so that
// only their number is guessed.
#include "start/search_outlook.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>

#include "start/answers.hpp"
#include "start/tournament.hpp"
#include "util/parallel.hpp"

namespace milcci {
namespace {

// Values per parameter below which a problem is hard, unless it has so few components that there is
// hardly another answer.
constexpr double kFewValues = 10;
constexpr Index kFewComponents = 4;
// Iterations of one tournament after its first round, of which candidates that have converged need few,
// and iterations of moves, as multiples of one round of them.
struct Expected {
  double later_iterations, rounds_of_moves;
};
constexpr Expected kEasy{60, 1.0}, kHard{500, 4.5};
constexpr double kTournamentsOfHard = 2.0 / 3.0;  // of those allowed
constexpr int kMoveRounds = 3;                    // that one finalist of a hard problem makes
constexpr int kMeasured = 10;                     // iterations
// Moves are pursued in threes.
constexpr int kThreadsOfMoves = 3;

// Of this thread. Whatever else runs on the machine does not make a search look longer.
double seconds_of_thread() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

template <class Action>
double seconds_of(const Action& action) {
  const double begin = seconds_of_thread();
  action();
  return seconds_of_thread() - begin;
}

bool is_hard(const SearchProblem& problem, const Components& components) {
  const TrialData& data = problem.data;
  double n_observed = 0, n_parameters = static_cast<double>(n_values(problem.design, components));
  for (std::size_t m = 0; m < data.n_trials(); ++m) {
    n_observed += static_cast<double>(data.n_channels() * data.n_times(m));
    n_parameters += static_cast<double>(problem.design.n_components() * data.n_times(m));
    if (const Gaps* gaps = data.gaps(m)) n_observed -= static_cast<double>(gaps->channel.size());
  }
  return is_hard_search(n_observed, n_parameters, problem.design.n_components());
}

double seconds_per_iteration(const SearchProblem& problem, Candidate candidate) {
  const Stage stage{.number = 0,
                    .sparsity = problem.sparsity(),
                    .max_iterations = kMeasured,
                    .tolerance = 0,
                    .component_tolerance = 0,
                    .traces = {.tolerance = 1e-3, .max_sweeps = 4}};  // as loosely as candidates
  Monitor monitor;
  const double seconds = seconds_of(
      [&] { alternate(problem.data, problem.design, problem.options, stage, candidate.state, monitor); });
  return seconds / std::max(1, monitor.n_iterations());
}

}  // namespace

bool is_hard_search(double n_values, double n_parameters, Index n_components) {
  return n_components >= kFewComponents && n_values < kFewValues * n_parameters;
}

double search_seconds(const SearchCosts& costs, bool is_hard, const Design& design,
                      const FitOptions& options) {
  const Expected& expected = is_hard ? kHard : kEasy;
  const Patience most = patience(options.effort);
  const double n_finalists = std::min(options.restarts, options.candidates);
  const double n_tournaments = is_hard ? std::max(1.0, kTournamentsOfHard * most.tournaments)
                                       : std::clamp(std::ceil(most.times_found / n_finalists), 1.0,
                                                    static_cast<double>(most.tournaments));
  const double moves = expected.rounds_of_moves * static_cast<double>(iterations_of_moves(design)) *
                       std::min(1.0, static_cast<double>(most.move_rounds) / kMoveRounds);
  const int threads = resolve_threads(options.threads);
  const double first_round = costs.start * options.restarts / std::min(threads, options.restarts);
  const double rest =
      costs.iteration * (expected.later_iterations + moves) / std::min(threads, kThreadsOfMoves);
  return n_tournaments * (first_round + rest);
}

SearchOutlook look_ahead(const WholeProblem& whole) {
  const ProgressCallback silent;
  SearchProgress progress(silent);
  const SearchProblem problem = whole.in_small(progress);
  Candidate even, odd;  // the two kinds of starts
  SearchCosts costs;
  costs.start = 0.5 * seconds_of([&] {
                  even = first_candidate(problem, 0, kFirstRoundIterations);
                  odd = first_candidate(problem, 1, kFirstRoundIterations);
                });
  costs.iteration = seconds_per_iteration(problem, even.record.objective < odd.record.objective ? even : odd);
  const bool hard = is_hard(problem, even.state.components);
  return {.seconds = search_seconds(costs, hard, problem.design, whole.options), .is_hard = hard};
}

}  // namespace milcci
