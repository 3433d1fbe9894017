#include "start/search.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "start/answers.hpp"
#include "start/binned_design.hpp"
#include "start/candidate.hpp"
#include "start/pooled.hpp"
#include "start/stretch_width.hpp"
#include "start/whole_data.hpp"
#include "util/parallel.hpp"

namespace milcci {
namespace {

// Enough time points to tell the components apart, few enough that a candidate costs a small share of a full
// fit.
constexpr Index kTimesPerComponent = 128, kMinTimes = 1024, kMaxTimes = 4096;
// With thousands of channels a time point says more and costs more: fewer are enough, down to
// these.
constexpr Index kMaxValues = 1024 * kMaxTimes, kFewestPerComponent = 16;
// Small data cost next to nothing. All of them tell more than some: the best answer for a subset is not
// always the best one for all.
constexpr Index kCheap = 1 << 21;
constexpr std::uint64_t kSubsetStream =
    0x5b5e7;  // keeps the subset's random numbers apart from the candidates'

Index total_times(const TrialData& data) {
  Index total = 0;
  for (std::size_t m = 0; m < data.n_trials(); ++m) total += data.n_times(m);
  return total;
}

SearchProblem search_problem(const TrialData& data, const BinnedDesign& binned, const FitOptions& options,
                             SearchProgress& progress) {
  FitOptions quick = options;  // penalties over time have no meaning on scattered time points
  quick.prior = TracePrior::smoothness;
  quick.smoothness = 0.0;
  quick.gamma3.reset();
  quick.decorrelation = 0.0;
  quick.gamma4.reset();
  quick.threads = 1;
  TrialData pooled = pool(data, binned.design.label_of_trial,
                          {.n_columns = n_pooled_times(binned.design, data.n_channels(), total_times(data)),
                           .width = stretch_width(data, resolve_threads(options.threads)),
                           .seed = options.seed ^ kSubsetStream});
  Moments moments(pooled, binned.design.n_components());
  return {std::move(pooled), one_trial_per_label(binned.design), std::move(moments), quick, progress};
}

// Share of the candidates that hold each of the winner's components.
Vector stability(const SearchProblem& problem, const Candidate& winner,
                 std::span<const Candidate> candidates) {
  constexpr double kSame = 0.9;
  Vector found = Vector::Zero(problem.design.n_components());
  for (const Candidate& candidate : candidates)
    found.array() +=
        (similarity(problem.design, winner.state.components, candidate.state.components).array() >= kSame)
            .cast<double>();
  return found / static_cast<double>(candidates.size());
}

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

Index n_pooled_times(const Design& design, Index n_channels, Index n_times) {
  const Index P = design.n_components();
  if (n_times * n_channels * P <= kCheap) return n_times * static_cast<Index>(design.labels.size());
  const Index wanted = std::clamp(kTimesPerComponent * P, kMinTimes, kMaxTimes);
  return std::min(wanted, std::max(kFewestPerComponent * P, kMaxValues / n_channels));
}

SearchResult search(const TrialData& data, const Design& design, const FitOptions& options,
                    const ProgressCallback& callback, const std::function<bool()>& is_late) {
  const BinnedDesign binned = bin_design(design, data.n_trials());
  SearchProgress progress(callback, is_late);
  const SearchProblem problem = search_problem(data, binned, options, progress);
  const int threads = resolve_threads(options.threads);

  SearchResult result;
  const Patience effort = patience(options.effort);
  const WholeData whole{data, design, options, binned, progress};
  Answers answers = find_answers(problem, effort, threads);
  Answer& winner = decide_on_data(whole, answers.all);
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
  progress.finish();

  result.is_interrupted = progress.is_stopped();
  result.times_found = winner.times_found;
  result.is_dropped = winner.is_dropped;
  for (Index j = 0; j < result.r2_gain.size(); ++j)  // not needed, whatever it died of
    if (std::isfinite(result.r2_gain(j))) result.is_dropped[static_cast<std::size_t>(j)] = true;
  tell_of_starts(problem, winner.settled, answers.starts, result);
  result.rivals = find_rivals(problem, winner.settled, other_answers(answers, winner));
  if (was_examined && !progress.is_stopped())
    result.certainty = judge_components(design.n_components(), result.rivals);
  for (Rival& rival : result.rivals) rival.components = unbin(binned, design, rival.components);
  result.components = unbin(binned, design, winner.settled.state.components);
  return result;
}

}  // namespace milcci
