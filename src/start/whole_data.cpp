#include "start/whole_data.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "loop/alternate.hpp"
#include "start/least_gain.hpp"

namespace milcci {
namespace {

constexpr int kDataIterations = 15;
// A finalist whose objective is higher than the winner's by more than this share has lost.
constexpr double kRival = 0.1;
// Components grown anew get this many iterations. Those that save less than this share of the
// redundancy on the pooled time points are not tried on the whole data.
constexpr int kGrowIterations = 60;
constexpr double kPromising = 0.5;

double squared_error(const SearchProblem& problem, Candidate& candidate) {
  return judge(problem, candidate.state).objective.fit;
}

// The terms of F after a few iterations from these components of the search.
Objective fit_from(const WholeProblem& whole, const Components& found, SearchProgress& progress) {
  const Stage stage{.number = 0,
                    .sparsity = whole.options.sparsity.value_or(kDefaultSparsity),
                    .max_iterations = kDataIterations,
                    .weights_follow = whole.options.nonnegative != NonNegative::both};
  State state;
  state.components = whole.components_from(found, progress);
  Monitor monitor = progress.monitor();
  return alternate(whole.data, whole.design, whole.options, stage, state, monitor).objective;
}

}  // namespace

Answer& decide_on_data(const WholeProblem& whole, SearchProgress& progress, std::span<Answer> answers) {
  std::vector<Answer*> rivals{&answers[0]};
  for (Answer& answer : answers.subspan(1)) {
    const CandidateRecord& record = answer.settled.record;
    if (n_dropped(answer) == n_dropped(answers[0]) && record.is_distinct() && record.behind < kRival)
      rivals.push_back(&answer);
  }
  if (rivals.size() == 1 || progress.is_over()) return answers[0];
  progress.begin_phase("finalists on the whole data");
  std::vector<double> objective;
  for (const Answer* rival : rivals)
    objective.push_back(fit_from(whole, rival->settled.state.components, progress).total());
  return *rivals[static_cast<std::size_t>(std::min_element(objective.begin(), objective.end()) -
                                          objective.begin())];
}

Vector revive(const SearchProblem& problem, const WholeProblem& whole, const Patience& patience, int threads,
              Answer& answer) {
  const double share = problem.options.redundancy.value_or(kDefaultRedundancy);
  const std::vector<bool> is_dead = are_dead(answer.settled.state.components);
  Vector gain = Vector::Constant(problem.design.n_components(), std::numeric_limits<double>::quiet_NaN());
  if (!(share > 0) || std::find(is_dead.begin(), is_dead.end(), true) == is_dead.end()) return gain;
  problem.progress.begin_phase("places of dropped components");
  bool has_revived = false;
  double pooled_without = squared_error(problem, answer.settled);
  for (Index j = 0; j < gain.size() && !problem.progress.is_over(); ++j) {
    if (!is_dead[static_cast<std::size_t>(j)]) continue;
    Candidate with = try_move(problem, {.first = j}, answer.settled).candidate;
    continue_candidate(problem, problem.sparsity(), kGrowIterations, with);
    const double pooled_with = squared_error(problem, with);
    gain(j) = std::max(0.0, (pooled_without - pooled_with) / problem.data.variation());
    const double needed = least_gain(problem.data, problem.options, pooled_with);
    if (pooled_without - pooled_with < kPromising * needed) continue;
    const Objective without_it = fit_from(whole, answer.settled.state.components, problem.progress);
    const Objective with_it = fit_from(whole, with.state.components, problem.progress);
    gain(j) = std::max(0.0, (without_it.fit - with_it.fit) / whole.data.variation());
    if (without_it.fit - with_it.fit < least_gain(whole.data, whole.options, with_it.fit)) continue;
    gain(j) = std::numeric_limits<double>::quiet_NaN();
    answer.settled = std::move(with);
    answer.is_dropped[static_cast<std::size_t>(j)] = false;
    pooled_without = pooled_with;
    has_revived = true;
  }
  if (has_revived) examine(problem, patience, threads, answer);
  return gain;
}

}  // namespace milcci
