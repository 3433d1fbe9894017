// Scores of a comparison over its repeats, and the place of each method among the others.
#include <algorithm>
#include <cmath>
#include <limits>

#include "milcci/compare_methods.hpp"

namespace milcci {
namespace {

struct ScoreKind {
  const char* name;
  bool is_better_if_high;
  std::optional<double> (*of)(const MethodScores&);
};

std::optional<double> mean_of(const std::optional<CorrelationSummary>& summary) {
  return summary ? std::optional(summary->mean) : std::nullopt;
}

const ScoreKind kScores[] = {
    {"r2", true, [](const MethodScores& s) { return s.r2; }},
    {"relative_error", false, [](const MethodScores& s) { return s.relative_error; }},
    {"cosmoothing_r2", true, [](const MethodScores& s) { return s.cosmoothing_r2; }},
    {"aic", false, [](const MethodScores& s) { return s.aic; }},
    {"bic", false, [](const MethodScores& s) { return s.bic; }},
    {"hqc", false, [](const MethodScores& s) { return s.hqc; }},
    {"component_correlation", true, [](const MethodScores& s) { return mean_of(s.component_correlation); }},
    {"trace_correlation", true, [](const MethodScores& s) { return mean_of(s.trace_correlation); }},
    {"seconds", false,
     [](const MethodScores& s) { return s.failed.empty() ? std::optional(s.seconds) : std::nullopt; }},
    {"peak_memory", false, [](const MethodScores& s) { return s.peak_memory; }},
};

bool is_same_method(const MethodScores& a, const MethodScores& b) {
  return a.name == b.name && a.n_components == b.n_components && a.added_noise == b.added_noise;
}

// 1 for the best of all methods of the run that have as many components as were asked for.
double rank(const ComparisonRun& run, const ScoreKind& kind, double value) {
  double n_better = 0, n_alike = 0;
  for (const MethodScores& scores : run.methods) {
    const std::optional<double> other = scores.added_noise == 0 ? kind.of(scores) : std::nullopt;
    if (!other || std::isnan(*other)) continue;
    n_better += kind.is_better_if_high ? *other > value : *other < value;
    n_alike += *other == value;
  }
  return 1 + n_better + std::max(0.0, n_alike - 1) / 2;
}

void add(const ComparisonRun& run, const ScoreKind& kind, const MethodScores& scores, ScoreSpread& spread,
         std::vector<double>& values) {
  const std::optional<double> value = kind.of(scores);
  if (!value || std::isnan(*value)) return;
  const double place = rank(run, kind, *value);
  const bool is_first = values.empty();
  spread.min = is_first ? *value : std::min(spread.min, *value);
  spread.max = is_first ? *value : std::max(spread.max, *value);
  spread.rank_min = is_first ? place : std::min(spread.rank_min, place);
  spread.rank_max = is_first ? place : std::max(spread.rank_max, place);
  spread.rank_mean += place;
  spread.mean += *value;
  values.push_back(*value);
}

void finish(const std::vector<double>& values, ScoreSpread& spread) {
  spread.n = values.size();
  const auto n = static_cast<double>(values.size());
  spread.mean /= n;
  spread.rank_mean /= n;
  if (values.size() < 2) return;
  double squares = 0;
  for (const double value : values) squares += (value - spread.mean) * (value - spread.mean);
  spread.sd = std::sqrt(squares / (n - 1));
}

}  // namespace

std::vector<std::vector<ScoreSpread>> MethodComparison::spreads() const {
  std::vector<std::vector<ScoreSpread>> all;
  for (const MethodScores& method : methods()) {
    std::vector<ScoreSpread> of_method;
    for (const ScoreKind& kind : kScores) {
      ScoreSpread spread;
      spread.score = kind.name;
      std::vector<double> values;
      for (const ComparisonRun& run : runs)
        for (const MethodScores& scores : run.methods)
          if (is_same_method(scores, method)) add(run, kind, scores, spread, values);
      if (values.empty()) continue;
      finish(values, spread);
      of_method.push_back(spread);
    }
    all.push_back(std::move(of_method));
  }
  return all;
}

}  // namespace milcci
