#include "start/search.hpp"

#include <algorithm>
#include <span>

#include "loop/alternate.hpp"
#include "start/answers.hpp"
#include "start/binned_design.hpp"
#include "start/candidate.hpp"
#include "start/channel_subset.hpp"
#include "start/pooled.hpp"
#include "start/stretch_width.hpp"
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

constexpr int kDataIterations = 15;
// A finalist whose objective is higher than the winner's by more than this share has lost.
constexpr double kRival = 0.1;
constexpr std::size_t kMostRivals = 3;

// The problem as it was posed, and the way back to it from the smaller one of the search.
struct WholeProblem {
  const TrialData& data;
  const Design& design;
  const FitOptions& options;
  BinnedDesign binned;
  std::vector<Index> channels;  // that the search works on

  // Under all options, and of all channels.
  Components components_from(const Components& found, SearchProgress& progress) const {
    return fill_in(data, design, options, channels, unbin(binned, design, found), progress.monitor());
  }
};

Index total_times(const TrialData& data) {
  Index total = 0;
  for (std::size_t m = 0; m < data.n_trials(); ++m) total += data.n_times(m);
  return total;
}

SearchProblem search_problem(const WholeProblem& whole, SearchProgress& progress) {
  const auto& [data, design, options, binned, channels] = whole;
  FitOptions quick = options;  // penalties over time have no meaning on scattered time points
  quick.prior = TracePrior::smoothness;
  quick.smoothness = 0.0;
  quick.gamma3.reset();
  quick.decorrelation = 0.0;
  quick.gamma4.reset();
  quick.threads = 1;
  TrialData pooled =
      pool(data, binned.design.label_of_trial,
           {.n_columns = n_pooled_times(binned.design, std::ssize(channels), total_times(data)),
            .width = stretch_width(data, resolve_threads(options.threads)),
            .channels = channels,
            .seed = options.seed ^ kSubsetStream});
  Moments moments(pooled, binned.design.n_components());
  return {std::move(pooled), one_trial_per_label(binned.design), std::move(moments), quick, progress};
}

long n_dropped(const Answer& answer) {
  return std::count(answer.is_dropped.begin(), answer.is_dropped.end(), true);
}

// Answers that differ from the best one and are not far behind are tried on the whole data, together
// with it. Returns the one that wins there. Best first.
Answer& decide_on_data(const WholeProblem& whole, SearchProgress& progress, std::span<Answer> answers) {
  std::vector<Answer*> rivals{&answers[0]};
  for (Answer& answer : answers.subspan(1)) {
    const CandidateRecord& record = answer.settled.record;
    if (n_dropped(answer) == n_dropped(answers[0]) && record.is_distinct() && record.behind < kRival)
      rivals.push_back(&answer);
  }
  if (rivals.size() == 1 || progress.is_over()) return answers[0];
  progress.begin_phase("finalists on the whole data");
  const Stage stage{.number = 0,
                    .sparsity = whole.options.sparsity.value_or(kDefaultSparsity),
                    .max_iterations = kDataIterations};
  std::vector<double> objective;
  for (const Answer* rival : rivals) {
    State state;
    state.components = whole.components_from(rival->settled.state.components, progress);
    Monitor monitor = progress.monitor();
    objective.push_back(
        alternate(whole.data, whole.design, whole.options, stage, state, monitor).objective.total());
  }
  return *rivals[static_cast<std::size_t>(std::min_element(objective.begin(), objective.end()) -
                                          objective.begin())];
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
  const WholeProblem whole{.data = data,
                           .design = design,
                           .options = options,
                           .binned = bin_design(design, data.n_trials()),
                           .channels = choose_channels(data, design.n_components(), options.seed)};
  SearchProgress progress(callback, is_late);
  const SearchProblem problem = search_problem(whole, progress);
  const int threads = resolve_threads(options.threads);

  SearchResult result;
  Answers answers = find_answers(problem, patience(options.effort), threads);
  Answer& winner = decide_on_data(whole, progress, answers.all);
  result.is_cut_short = progress.is_over();
  // An answer whose last move was made without a look around is not judged.
  const bool was_examined = !result.is_cut_short && !winner.neighbours.empty();
  if (was_examined) {
    progress.begin_phase("answers nearby");
    if (pursue_all(problem, threads, winner.neighbours, winner.settled)) winner.times_found = 0;
  }

  result.times_found = winner.times_found;
  result.is_dropped = winner.is_dropped;
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
