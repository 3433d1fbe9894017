#include "start/search.hpp"

#include <cmath>
#include <span>

#include "start/answers.hpp"
#include "start/candidate.hpp"
#include "start/whole_data.hpp"
#include "util/parallel.hpp"

namespace milcci {
namespace {

constexpr std::size_t kMostRivals = 3;

// Which starts found what the winner has.
void tell_of_starts(const SearchProblem& problem, const Candidate& winner, std::span<const Candidate> starts,
                    SearchResult& result) {
  result.stability = stability(problem, winner, starts);
  for (const Candidate& start : starts) {
    result.candidates.push_back(start.record);
    result.candidates.back().similarity =
        similarity(problem.design, winner.state.components, start.state.components).mean();
  }
}

// What else could be the answer. Where the winner dropped components, answers that did not drop as many
// are not comparable.
std::vector<Candidate> other_answers(const Answers& answers, const Answer& winner) {
  std::vector<Candidate> others;
  for (const Answer& answer : answers.all)
    if (&answer != &winner && n_dropped(answer) == n_dropped(winner)) others.push_back(answer.settled);
  for (const Neighbour& neighbour : winner.neighbours) others.push_back(neighbour.candidate);
  return others;
}

}  // namespace

SearchResult search(const TrialData& data, const Design& design, const FitOptions& options,
                    const ProgressCallback& callback, const std::function<bool()>& is_late) {
  const WholeProblem whole(data, design, options);
  SearchProgress progress(callback, is_late);
  const SearchProblem problem = whole.in_small(progress);
  const int threads = resolve_threads(options.threads);

  SearchResult result;
  const Patience effort = patience(options.effort);
  Answers answers = find_answers(problem, effort, threads);
  Answer& winner = decide_on_data(whole, progress, answers.all);
  result.r2_gain = revive(problem, whole, effort, threads, winner);
  if (winner.is_examined && winner.neighbours.empty() && !progress.is_over())
    examine(problem, effort, threads, winner);
  result.is_cut_short = progress.is_over();
  // An answer whose last move was made without a look around is not judged.
  const bool was_examined = !result.is_cut_short && !winner.neighbours.empty();
  if (was_examined) {
    progress.begin_phase("answers nearby");
    if (pursue_all(problem, threads, winner.neighbours, winner.settled)) winner.times_found = 0;
  }

  result.times_found = winner.times_found;
  result.is_dropped = winner.is_dropped;
  for (Index j = 0; j < result.r2_gain.size(); ++j)  // not needed, whatever it died of
    if (std::isfinite(result.r2_gain(j))) result.is_dropped[static_cast<std::size_t>(j)] = true;
  tell_of_starts(problem, winner.settled, answers.starts, result);
  result.rivals = find_rivals(problem, winner.settled, other_answers(answers, winner));
  if (was_examined && !progress.is_stopped())
    result.certainty = judge_components(design.n_components(), result.rivals);
  if (result.rivals.size() > kMostRivals) result.rivals.resize(kMostRivals);
  for (Rival& rival : result.rivals) rival.components = whole.components_from(rival.components, progress);
  result.components = whole.components_from(winner.settled.state.components, progress);
  progress.finish();
  result.is_interrupted = progress.is_stopped();
  return result;
}

}  // namespace milcci
