#include "start/answers.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "start/least_gain.hpp"
#include "start/tournament.hpp"

namespace milcci {
namespace {

constexpr int kPolishIterations = 60, kDropIterations = 30, kSettleRounds = 4;
// Answers that are at least this much alike, on average over components, are one.
constexpr double kSameAnswer = 0.98;

bool is_same(const SearchProblem& problem, const Candidate& a, const Candidate& b) {
  return similarity(problem.design, a.state.components, b.state.components).mean() >= kSameAnswer;
}

// Moves, then without the components that are not needed. Those that are left may find their category
// in the places that became free, and some may then be surplus again.
Answer settle(const SearchProblem& problem, const Patience& patience, int threads,
              const Candidate& finalist) {
  Answer answer{.finalist = finalist, .settled = finalist, .neighbours = {}, .is_dropped = {}};
  answer.finalist.state.traces.clear();
  Candidate& settled = answer.settled;
  const double share = problem.options.redundancy.value_or(kDefaultRedundancy);
  examine(problem, patience, threads, answer);
  const std::vector<bool> was_dead = are_dead(settled.state.components);
  // By the noise that all components leave: what is dropped by mistake would seem to be noise as well.
  const double loss = least_gain(problem.data, problem.options, judge(problem, settled.state).objective.fit);
  for (int round = 0; round < kSettleRounds && share > 0 && !problem.progress.is_over(); ++round) {
    if (!drop_redundant(problem, loss, kDropIterations, threads, settled)) break;
    continue_candidate(problem, problem.sparsity(), kPolishIterations, settled);
    examine(problem, patience, threads, answer);
  }
  answer.is_dropped = are_dead(settled.state.components);
  for (std::size_t j = 0; j < was_dead.size(); ++j)
    answer.is_dropped[j] = answer.is_dropped[j] && !was_dead[j];
  answer.squared_error = judge(problem, settled.state).objective.fit;
  return answer;
}

long n_alive(const Answer& answer) {
  const std::vector<bool> dead = are_dead(answer.settled.state.components);
  return std::count(dead.begin(), dead.end(), false);
}

// Adds the answer that a finalist leads to. The same finalist leads to the same answer, and so may
// another one.
void add_answer(const SearchProblem& problem, const Patience& patience, int threads,
                const Candidate& finalist, std::vector<Answer>& answers) {
  for (Answer& known : answers)
    if (is_same(problem, known.finalist, finalist)) {
      ++known.times_found;
      return;
    }
  Answer answer = settle(problem, patience, threads, finalist);
  for (Answer& known : answers)
    if (is_same(problem, known.settled, answer.settled)) {
      answer.times_found += known.times_found;
      if (is_better(problem, answer, known))
        known = std::move(answer);
      else
        known.times_found = answer.times_found;
      return;
    }
  answers.push_back(std::move(answer));
}

// What is still asked of a start: its components, averaged over options. There may be many starts.
Candidate in_short(const Design& design, Candidate start) {
  start.state.traces.clear();
  for (std::size_t k = 0; k < design.n_categories(); ++k) {
    if (design.categories[k].spec.kind == CategoryKind::free) continue;
    std::vector<Matrix>& variants = start.state.components[k];
    for (std::size_t i = 1; i < variants.size(); ++i) variants[0] += variants[i];
    variants.resize(1);
  }
  return start;
}

}  // namespace

Vector stability(const SearchProblem& problem, const Candidate& winner, std::span<const Candidate> starts) {
  constexpr double kSame = 0.9;
  Vector found = Vector::Zero(problem.design.n_components());
  for (const Candidate& start : starts)
    found.array() +=
        (similarity(problem.design, winner.state.components, start.state.components).array() >= kSame)
            .cast<double>();
  return found / static_cast<double>(starts.size());
}

bool is_confirmed(const SearchProblem& problem, const Patience& patience, const Answers& answers) {
  constexpr double kStarts = 2;
  const Answer& best = answers.all[0];
  if (best.times_found < patience.times_found) return false;
  const std::vector<bool> dead = are_dead(best.settled.state.components);
  const Vector share = stability(problem, best.settled, answers.starts);
  const double enough =
      std::min<double>(kStarts, patience.times_found) / static_cast<double>(answers.starts.size());
  for (std::size_t j = 0; j < dead.size(); ++j)
    if (!dead[j] && share(static_cast<Index>(j)) < enough) return false;
  return true;
}

void examine(const SearchProblem& problem, const Patience& patience, int threads, Answer& answer) {
  answer.neighbours = improve_by_moves(problem, patience.move_rounds, threads, answer.settled);
  answer.is_examined = !answer.neighbours.empty();
}

long n_dropped(const Answer& answer) {
  return std::count(answer.is_dropped.begin(), answer.is_dropped.end(), true);
}

bool is_better(const SearchProblem& problem, const Answer& a, const Answer& b) {
  const long alive_a = n_alive(a), alive_b = n_alive(b);
  const auto loss = [&](const Answer& more, long n) {
    const double of_one = least_gain(problem.data, problem.options, more.squared_error);
    return is_judged_by_noise(problem.options) ? static_cast<double>(n) * of_one : of_one;
  };
  if (alive_a < alive_b && a.squared_error <= b.squared_error + loss(b, alive_b - alive_a)) return true;
  if (alive_b < alive_a && b.squared_error <= a.squared_error + loss(a, alive_a - alive_b)) return false;
  return a.settled.record.objective < b.settled.record.objective;
}

void rank(const SearchProblem& problem, std::vector<Answer>& answers) {
  std::stable_sort(answers.begin(), answers.end(), [](const Answer& a, const Answer& b) {
    return a.settled.record.objective < b.settled.record.objective;
  });
  std::size_t best = 0;
  for (std::size_t i = 1; i < answers.size(); ++i)
    if (n_alive(answers[i]) < n_alive(answers[best]) && is_better(problem, answers[i], answers[0])) best = i;
  std::rotate(answers.begin(), answers.begin() + static_cast<std::ptrdiff_t>(best),
              answers.begin() + static_cast<std::ptrdiff_t>(best) + 1);
  const Candidate& winner = answers[0].settled;
  for (Answer& answer : answers) {
    CandidateRecord& record = answer.settled.record;
    record.behind = record.objective / winner.record.objective - 1.0;
    record.similarity =
        similarity(problem.design, winner.state.components, answer.settled.state.components).mean();
  }
}

Patience patience(Effort effort) {
  switch (effort) {
    case Effort::quick:
      return {.tournaments = 1, .times_found = 1, .move_rounds = 1, .progress = 0};
    case Effort::thorough:
      return {.tournaments = 30, .times_found = 4, .move_rounds = 40, .progress = 0};
    case Effort::normal:
      break;
  }
  return {.tournaments = 3, .times_found = 2, .move_rounds = 12, .progress = 0.005};
}

Answers find_answers(const SearchProblem& problem, const Patience& patience, int threads) {
  Answers answers;
  double lowest = std::numeric_limits<double>::infinity();
  const FitOptions& options = problem.options;
  const auto n_finalists = static_cast<std::size_t>(std::min(options.restarts, options.candidates));
  for (int t = 0; t < patience.tournaments && !(t > 0 && problem.progress.is_over()); ++t) {
    problem.progress.plan(iterations_of_tournament(options) +
                          static_cast<long>(n_finalists) * iterations_of_moves(problem.design));
    const auto first_stream = static_cast<std::uint64_t>(t) * static_cast<std::uint64_t>(options.restarts);
    std::vector<Candidate> starts = hold_tournament(problem, first_stream, threads);
    problem.progress.begin_phase("moves between categories");
    for (std::size_t c = 0; c < std::min(n_finalists, starts.size()); ++c)
      add_answer(problem, patience, threads, starts[c], answers.all);
    rank(problem, answers.all);
    for (std::size_t i = 1; i < answers.all.size(); ++i) answers.all[i].neighbours = {};
    for (Candidate& start : starts) answers.starts.push_back(in_short(problem.design, std::move(start)));
    const double F = answers.all[0].settled.record.objective;
    const bool is_at_rest = patience.progress > 0 && F > lowest * (1.0 - patience.progress);
    if (is_confirmed(problem, patience, answers) || is_at_rest) break;
    lowest = F;
  }
  std::stable_sort(answers.starts.begin(), answers.starts.end(), [](const Candidate& a, const Candidate& b) {
    return std::pair(-a.record.round, a.record.objective) < std::pair(-b.record.round, b.record.objective);
  });
  return answers;
}

}  // namespace milcci
