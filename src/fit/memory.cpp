#include <algorithm>
#include <cmath>

#include "fit/search_size.hpp"
#include "label_graphs/categories.hpp"
#include "label_graphs/design.hpp"
#include "milcci/fit.hpp"
#include "start/moments.hpp"
#include "start/moves.hpp"
#include "start/search_outlook.hpp"
#include "util/parallel.hpp"

namespace milcci {
namespace {

// What small objects take in addition to their numbers, in bytes.
constexpr double kMatrix = 40, kName = 48, kLabel = 130, kCoupling = 90, kSums = 140;

// In doubles, except for the bytes that are returned in the end.
struct Counts {
  double n_channels = 0, n_components = 0;
  double n_values = 0, n_times = 0, n_missing = 0;
  double source_bytes = 0;
  double n_values_beside_gaps = 0;            ///< of trials with gaps, observed or not
  double longest = 0, longest_with_gaps = 0;  ///< time points
  std::vector<bool> has_gaps;                 ///< per trial

  /// The sums of a label or a block of trials. The squares count twice, because categories share
  /// them among themselves.
  double sums() const {
    return n_channels * n_components + 2 * n_components * n_components + kSums / sizeof(double);
  }
  double packed() const { return n_components * (n_components + 1) / 2; }
  double sums_of_gaps() const { return n_channels * packed(); }
  /// What a thread needs to solve the longest trial: B, and where time points are tied the turned B and new
  /// traces, or what is eliminated, which non-negative traces keep.
  double work_of_traces(bool is_smooth, bool is_nonnegative) const {
    return longest * n_components * (is_smooth ? (is_nonnegative ? 4 : 3) : 1);
  }
  /// What a thread needs to solve a trial of so many time points with gaps: the Grams of all time points,
  /// the table they are looked up in, and, where time points are tied, their factors.
  double work_of_gaps(double longest, bool is_smooth) const {
    if (n_missing == 0) return 0;
    return longest * (packed() + (is_smooth ? n_components * n_components : 0)) + 4 * n_channels * packed();
  }
};

Counts count(const TrialSource& trials, const Design& design) {
  Counts counts{.n_channels = static_cast<double>(trials.n_channels()),
                .n_components = static_cast<double>(design.n_components()),
                .has_gaps = {}};
  TrialBuffer buffer;
  for (std::size_t m = 0; m < trials.n_trials(); ++m) {
    const Index n_times = trials.n_times(m);
    const double n_missing = trials.values(m, buffer).visit([](const auto& y) {
      return std::isfinite(y.sum()) ? 0.0 : static_cast<double>(y.array().isNaN().count());
    });
    const double n_values = counts.n_channels * static_cast<double>(n_times);
    counts.n_values += n_values;
    counts.source_bytes += n_values * (trials.is_float(m) ? sizeof(float) : sizeof(double));
    if (n_missing > 0) {
      counts.n_values_beside_gaps += n_values;
      counts.longest_with_gaps = std::max(counts.longest_with_gaps, static_cast<double>(n_times));
    }
    counts.n_times += static_cast<double>(n_times);
    counts.longest = std::max(counts.longest, static_cast<double>(n_times));
    counts.has_gaps.push_back(n_missing > 0);
    counts.n_missing += n_missing;
  }
  return counts;
}

double memberships(const Counts& counts, const Design& design) {
  double n = 0;
  for (std::size_t k = 0; k < design.n_categories(); ++k)
    n += static_cast<double>(design.n_options(k)) *
         (counts.n_channels * static_cast<double>(design.n_components(k)) + kMatrix / sizeof(double));
  return n;
}

// How many groups of trials (labels, blocks) have a trial with gaps.
double with_gaps(const Counts& counts, const std::vector<int>& group_of_trial) {
  std::vector<bool> found(group_of_trial.size(), false);
  for (std::size_t m = 0; m < group_of_trial.size(); ++m)
    if (counts.has_gaps[m]) found[static_cast<std::size_t>(group_of_trial[m])] = true;
  return static_cast<double>(std::count(found.begin(), found.end(), true));
}

double bytes_of_design(const Design& design) {
  const auto n_labels = static_cast<double>(design.labels.size()),
             n_trials = static_cast<double>(design.label_of_trial.size()),
             n_categories = static_cast<double>(design.n_categories());
  double bytes = n_labels * (kLabel + n_categories * (n_categories - 1) * kCoupling) +
                 n_trials * sizeof(int) * (1 + n_categories);
  for (std::size_t k = 0; k < design.n_categories(); ++k)
    bytes += static_cast<double>(design.n_options(k)) * (kName + sizeof(Design::Variant)) +
             // In the category, in the design, and as the weights of the pull.
             static_cast<double>(design.ties[k].n_listed()) *
                 static_cast<double>(2 * sizeof(LabelGraph::Neighbour) + sizeof(Index) +
                                     sizeof(double) * static_cast<std::size_t>(design.n_components(k)));
  return bytes;
}

// What one thread needs to update the variants of a block of channels.
double block_of_update(const Counts& counts, const Design& design) {
  constexpr double kRows = 8, kMatrices = 4;
  double n = 0;
  for (const auto [k, i] : design.variants)
    n += static_cast<double>(design.n_components(k)) * std::min(counts.n_channels, kRows) * kMatrices +
         static_cast<double>(design.n_components(k) * design.n_components(k)) + 3;
  return n;
}

// Copies of the components in a stage: in use, before the update, the update, and what is
// extrapolated from.
constexpr double kComponentCopies = 4;

struct SearchMemory {
  double kept = 0;     ///< by the problem, all candidates and answers, until the search is over
  double working = 0;  ///< by candidates that are being fitted, one per thread
};

// `whole` counts the channels of the data.
SearchMemory memory_of_search(const Counts& whole, const SearchSize& size, const FitOptions& options) {
  constexpr double kAnswersOfEasy = 2, kAnswersOfHard = 4;
  Counts counts = whole;
  counts.n_channels = size.n_channels;
  const Design& pooled = size.design;
  const double n_times = size.n_times;
  const auto n_labels = static_cast<double>(pooled.labels.size());
  const double n_values = counts.n_channels * n_times;
  const bool is_dense = Moments::is_dense(static_cast<Index>(counts.n_channels), static_cast<Index>(n_times));
  double moments = is_dense ? counts.n_channels * counts.n_channels : 0;
  if (counts.n_missing > 0) moments = is_dense ? 2 * moments : n_values;
  const double components = memberships(counts, pooled);
  const double candidate = components + n_times * counts.n_components + n_labels * kMatrix / sizeof(double);
  const auto n_starts = static_cast<double>(options.restarts);
  const double n_working = std::min(n_starts, static_cast<double>(resolve_threads(options.threads)));
  const NeighbourCounts neighbours = count_neighbours(pooled, static_cast<std::size_t>(components));
  const bool is_hard = is_hard_search(n_values, components + n_times * counts.n_components,
                                      static_cast<Index>(counts.n_components));
  const double n_candidates =
      n_starts + static_cast<double>(neighbours.tried) +
      (is_hard ? kAnswersOfHard : kAnswersOfEasy) * (2 + static_cast<double>(neighbours.kept));
  const double designs = 2 * bytes_of_design(pooled) / sizeof(double);  // with all trials, and one per label
  // A start from few labels has data and moments of its own, and so have the residuals of a move.
  return {.kept = n_values + moments + designs + n_candidates * candidate,
          .working = n_working * (n_values + moments + kComponentCopies * components +
                                  n_labels * counts.sums() + block_of_update(counts, pooled) +
                                  with_gaps(counts, pooled.label_of_trial) * counts.sums_of_gaps() +
                                  counts.work_of_gaps(n_times / n_labels, false))};
}

double memory_of_stages(const Counts& counts, const Design& design, const FitOptions& options) {
  const bool has_memory =
      options.prior == TracePrior::lds || options.gamma4.value_or(options.decorrelation) > 0;
  const double estimated = options.penalties == PenaltyChoice::automatic ? 1.0 : 0.0;  // hardly ever zero
  const bool is_smooth =
      options.prior == TracePrior::lds || options.gamma3.value_or(options.smoothness.value_or(estimated)) > 0;
  const bool is_nonnegative =
      options.nonnegative == NonNegative::both || options.nonnegative == NonNegative::traces;
  const double threads = resolve_threads(options.threads);
  // Sums of every label, and of the blocks of trials that are not added to them yet.
  const auto n_blocks = static_cast<double>(design.blocks.size());
  const double parts = threads > 1 ? std::min(n_blocks, 4 * threads) : 1;
  const double parts_with_gaps = counts.n_missing > 0 ? parts : 0;
  return counts.n_times * counts.n_components * (has_memory ? 3 : 1) +
         (static_cast<double>(design.labels.size()) + parts) * counts.sums() +
         (with_gaps(counts, design.label_of_trial) + parts_with_gaps) * counts.sums_of_gaps() +
         kComponentCopies * memberships(counts, design) +
         threads * (block_of_update(counts, design) + counts.work_of_traces(is_smooth, is_nonnegative) +
                    counts.work_of_gaps(counts.longest_with_gaps, is_smooth));
}

}  // namespace

double estimate_memory(const TrialSource& trials, const FitOptions& options) {
  constexpr double kProgram = 17e6, kMatricesPerTrial = 5;  // values, traces, terms, where they are
  const Design design = make_design(resolve_categories(options.categories, trials), trials.n_trials());
  const Counts counts = count(trials, design);
  const SearchSize size = search_size(trials, design);
  const SearchMemory search = memory_of_search(counts, size, options);
  const double stages = memory_of_stages(counts, design, options);
  // What the search keeps is still there while finalists are tried on all of the data, or channels filled in.
  const bool is_on_data = options.candidates > 1 || size.n_channels < counts.n_channels;
  const double beside_data = search.kept + std::max(search.working, is_on_data ? stages : 0.0);
  constexpr double kMarkBytes = 0.5;  // per value of a trial with gaps: observed or not, twice
  const bool is_float = options.precision == Precision::float32;
  const double value_bytes =
      is_float ? sizeof(float) * counts.n_values : counts.source_bytes;  // floats stay floats
  // Targets, and the next ones while they are made.
  const double targets = options.loss == Loss::huber ? 2 * sizeof(double) * counts.n_values : 0;
  const double fitted = value_bytes + targets + sizeof(double) * std::max(beside_data, stages) +
                        sizeof(int) * counts.n_missing + kMarkBytes * counts.n_values_beside_gaps;
  const double small =
      bytes_of_design(design) + kMatricesPerTrial * kMatrix * static_cast<double>(trials.n_trials());
  return kProgram + small + std::max(counts.source_bytes, fitted);
}

}  // namespace milcci
