// Scores of a comparison over its repeats, and the place of each method among the others.
#include <algorithm>
#include <cmath>

#include "compare/same_row.hpp"
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
    {"degrees_of_freedom", false, [](const MethodScores& s) { return s.degrees_of_freedom; }},
    {"sparsity", true, [](const MethodScores& s) { return s.sparsity; }},
    {"component_correlation", true, [](const MethodScores& s) { return mean_of(s.component_correlation); }},
    {"trace_correlation", true, [](const MethodScores& s) { return mean_of(s.trace_correlation); }},
    {"seconds", false,
     [](const MethodScores& s) { return s.failed.empty() ? std::optional(s.seconds) : std::nullopt; }},
    {"peak_memory", false, [](const MethodScores& s) { return s.peak_memory; }},
};

std::optional<double> value_of(const ScoreKind& kind, const MethodScores& scores) {
  const std::optional<double> value = kind.of(scores);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

// Whether it had what all others had: only those are ranked.
bool is_ranked(const MethodScores& scores, Index n_components) {
  return scores.added_noise == 0 && scores.n_components == n_components;
}

// 1 for the best.
double rank(const ComparisonRun& run, Index n_components, const ScoreKind& kind, double value) {
  double n_better = 0, n_alike = 0;
  for (const MethodScores& scores : run.methods) {
    const std::optional<double> other = value_of(kind, scores);
    if (!other || !is_ranked(scores, n_components)) continue;
    n_better += kind.is_better_if_high ? *other > value : *other < value;
    n_alike += *other == value;
  }
  return 1 + n_better + std::max(0.0, n_alike - 1) / 2;
}

void set_rank(const std::vector<double>& places, ScoreSpread& spread) {
  if (places.empty()) return;
  double sum = 0;
  for (const double place : places) sum += place;
  spread.rank_mean = sum / static_cast<double>(places.size());
  spread.rank_min = *std::min_element(places.begin(), places.end());
  spread.rank_max = *std::max_element(places.begin(), places.end());
}

void set_values(const std::vector<double>& values, ScoreSpread& spread) {
  spread.n = values.size();
  const auto n = static_cast<double>(values.size());
  for (const double value : values) spread.mean += value / n;
  spread.min = *std::min_element(values.begin(), values.end());
  spread.max = *std::max_element(values.begin(), values.end());
  if (values.size() < 2) return;
  double squares = 0;
  for (const double value : values) squares += (value - spread.mean) * (value - spread.mean);
  spread.sd = std::sqrt(squares / (n - 1));
}

}  // namespace

std::vector<std::vector<ScoreSpread>> MethodComparison::spreads() const {
  // A run that was stopped has scores of unfinished fits, and ranks among fewer methods.
  const std::size_t n_whole = runs.size() - (is_interrupted && runs.size() > 1 ? 1 : 0);
  std::vector<std::vector<ScoreSpread>> all;
  for (const MethodScores& method : methods()) {
    std::vector<ScoreSpread> of_method;
    for (const ScoreKind& kind : kScores) {
      std::vector<double> values, places;
      for (std::size_t i = 0; i < n_whole; ++i)
        for (const MethodScores& scores : runs[i].methods) {
          const std::optional<double> value = value_of(kind, scores);
          if (!value || !is_same_row(scores, method)) continue;
          values.push_back(*value);
          if (is_ranked(scores, n_components)) places.push_back(rank(runs[i], n_components, kind, *value));
        }
      if (values.empty()) continue;
      ScoreSpread& spread = of_method.emplace_back();
      spread.score = kind.name;
      set_values(values, spread);
      set_rank(places, spread);
    }
    all.push_back(std::move(of_method));
  }
  return all;
}

}  // namespace milcci
