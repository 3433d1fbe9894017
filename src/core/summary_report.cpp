// The summary of a fit for people: a few lines, or everything.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "core/json_object.hpp"
#include "milcci/model.hpp"

namespace milcci {

namespace {

using Out = std::back_insert_iterator<std::string>;

std::string plural(std::size_t n, const std::string& noun) {
  return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
}

std::string terms(const Objective& objective) {
  std::string text = fmt::format("fit {:.4g}", objective.fit);
  const auto add = [&](const char* name, double value) {
    if (value != 0) text += fmt::format(", {} {:.4g}", name, value);
  };
  add("sparsity", objective.sparsity);
  add("consistency", objective.consistency);
  add("smoothness", objective.smoothness);
  add("decorrelation", objective.decorrelation);
  add("transition", objective.transition);
  add("ridge", objective.ridge);
  return text;
}

std::string component_counts(const FitOptions& options) {
  int n = 0;
  std::string list;
  for (const CategorySpec& spec : options.categories) {
    n += spec.n_components;
    list += fmt::format("{}{} {}", list.empty() ? "" : ", ", spec.name, spec.n_components);
  }
  return fmt::format("{} ({})", n, list);
}

// Category position of every component, in order.
std::vector<Index> category_of_components(const FitOptions& options) {
  std::vector<Index> category;
  for (std::size_t k = 0; k < options.categories.size(); ++k)
    category.insert(category.end(), static_cast<std::size_t>(std::max(options.categories[k].n_components, 0)),
                    static_cast<Index>(k));
  return category;
}

void report_options(const FitOptions& options, Out out) {
  fmt::format_to(out, "\nOptions (* differs from its default)\n");
  for (const CategorySpec& spec : options.categories)
    fmt::format_to(out, "  {:<22} {}\n", "category", to_text(spec));
  const auto shown = [](const auto& member) {
    const Json json = to_json_value(member);
    return json.is_null() ? "unset" : json.is_string() ? json.get<std::string>() : json.dump();
  };
  std::vector<std::string> defaults;
  visit_fields(FitOptions{}, [&](const Field&, const auto& member) { defaults.push_back(shown(member)); });
  std::size_t i = 0;
  visit_fields(options, [&](const Field& field, const auto& member) {
    const std::string value = shown(member), normal = defaults[i++];
    if (value == normal)
      fmt::format_to(out, "  {:<22} {}\n", field.name, value);
    else
      fmt::format_to(out, "* {:<22} {}  (default {})\n", field.name, value, normal);
  });
}

void report_iterations(const std::vector<IterationRecord>& iterations, Out out) {
  // All of a short fit; of a long one the two ends, where something happens.
  constexpr std::size_t kEnd = 6;
  fmt::format_to(
      out,
      "\nIterations\n  {:>5} {:>5} {:>11} {:>11} {:>10} {:>11} {:>10} {:>10} {:>10} {:>10} {:>8} {:>9} "
      "{:>9} {:>8}\n",
      "iter", "stage", "objective", "fit", "sparsity", "consistency", "smoothness", "decorrel.", "transition",
      "ridge", "R2", "rel.fall", "movement", "seconds");
  for (std::size_t i = 0; i < iterations.size(); ++i) {
    if (iterations.size() > 2 * kEnd && i == kEnd) {
      fmt::format_to(out, "  {:>5}\n", "...");
      i = iterations.size() - kEnd;
    }
    const IterationRecord& r = iterations[i];
    const Objective& o = r.objective;
    fmt::format_to(
        out,
        "  {:>5} {:>5} {:>11.5g} {:>11.5g} {:>10.4g} {:>11.4g} {:>10.4g} {:>10.4g} {:>10.4g} {:>10.4g} "
        "{:>8.5f} {:>9.2e} {:>9.2e} {:>8.2f}\n",
        r.iteration, r.stage, o.total(), o.fit, o.sparsity, o.consistency, o.smoothness, o.decorrelation,
        o.transition, o.ridge, r.r2, r.relative_change, r.component_change, r.seconds);
  }
}

void report_candidates(const std::vector<CandidateRecord>& candidates, Out out) {
  fmt::format_to(
      out,
      "\nStarts tried, best first (objectives are comparable within a round; behind: over the round's best)\n"
      "  {:>6} {:>6} {:>14} {:>9} {:>11}\n",
      "stream", "round", "objective", "behind", "similarity");
  for (const CandidateRecord& record : candidates)
    fmt::format_to(out, "  {:>6} {:>6} {:>14.6g} {:>7.2f} % {:>11.4f}\n", record.stream, record.round,
                   record.objective, 100 * record.behind, record.similarity);
}

// How clear the win was.
std::string lead(const FitSummary& summary) {
  const std::string starts = plural(summary.candidates.size(), "start");
  const CandidateRecord* next = summary.next_distinct();
  if (next == nullptr) return starts + ", all to the same answer";
  return fmt::format("{}, the next other answer {:.2g} % behind in round {} of {}", starts,
                     100 * next->behind, next->round, summary.candidates.front().round);
}

std::string entry(const Vector& values, Index j) {
  return j < values.size() ? fmt::format("{:.3g}", values(j)) : "";
}

// How much variants along each category save, per component; a component whose own column is not clearly
// the largest would fit about as well elsewhere.
void report_components(const FitSummary& summary, Out out) {
  const std::vector<Index> category = category_of_components(summary.options);
  const Vector firmness = summary.firmness();
  fmt::format_to(out,
                 "\nComponents: share of the fitted energy, share of the starts that found it, gain from its "
                 "own category over\nthe next (about 1 is a coin toss), and gain from variants along each "
                 "category (* its own)\n");
  fmt::format_to(out, "  {:>9} {:>10} {:>9} {:>9}", "component", "explained", "stability", "firmness");
  for (Index k = 0; k < summary.category_gain.cols(); ++k) {
    const auto position = static_cast<std::size_t>(k);
    const bool is_known = position < summary.options.categories.size();
    fmt::format_to(out, " {:>16}", is_known ? summary.options.categories[position].name : "?");
  }
  fmt::format_to(out, "\n");
  for (Index j = 0; j < std::max(summary.category_gain.rows(), summary.explained.size()); ++j) {
    fmt::format_to(out, "  {:>9} {:>10} {:>9} {:>9}", j + 1, entry(summary.explained, j),
                   entry(summary.stability, j), entry(firmness, j));
    if (j < summary.category_gain.rows()) {
      for (Index k = 0; k < summary.category_gain.cols(); ++k) {
        const auto position = static_cast<std::size_t>(j);
        const bool is_own = position < category.size() && category[position] == k;
        fmt::format_to(out, " {:>15.3e}{}", summary.category_gain(j, k), is_own ? '*' : ' ');
      }
    }
    fmt::format_to(out, "\n");
  }
}

}  // namespace

const CandidateRecord* FitSummary::next_distinct() const {
  const auto next = std::find_if(candidates.begin(), candidates.end(),
                                 [](const CandidateRecord& record) { return record.is_distinct(); });
  return next == candidates.end() ? nullptr : &*next;
}

bool FitSummary::is_at_rest() const {
  constexpr double kHardlyLarger = 10.0;
  if (reason != StopReason::stalled) return reason == StopReason::converged;
  return iterations.empty() ||
         iterations.back().component_change <= kHardlyLarger * options.component_tolerance;
}

Vector FitSummary::firmness() const {
  const std::vector<Index> category = category_of_components(options);
  if (category_gain.cols() < 2 || category_gain.rows() != static_cast<Index>(category.size())) return {};
  Vector firmness(category_gain.rows());
  for (Index j = 0; j < firmness.size(); ++j) {
    Eigen::RowVectorXd others = category_gain.row(j);
    others(category[static_cast<std::size_t>(j)]) = 0.0;
    const double own = category_gain(j, category[static_cast<std::size_t>(j)]), next = others.maxCoeff();
    firmness(j) = own > 0 ? own / next : 0.0;
  }
  return firmness;
}

std::string FitSummary::brief_report() const {
  std::string text;
  Out out(text);
  fmt::format_to(out, "milcci {}: {}\n", version, message);
  fmt::format_to(out, "  {:<12} {:.6f}\n", "R2", r2);
  if (!iterations.empty())
    fmt::format_to(out, "  {:<12} {:.6g} ({})\n", "objective", iterations.back().objective.total(),
                   terms(iterations.back().objective));
  fmt::format_to(out, "  {:<12} {}\n", "components", component_counts(options));
  if (reason != StopReason::transformed)
    fmt::format_to(out, "  {:<12} {:.2f} s (start {:.2f}, traces {:.2f}, components {:.2f})\n", "time",
                   seconds_total, seconds_start, seconds_traces, seconds_components);
  if (reason != StopReason::transformed) fmt::format_to(out, "  {:<12} {}\n", "seed", options.seed);
  if (!candidates.empty()) fmt::format_to(out, "  {:<12} {}\n", "search", lead(*this));
  for (const std::string& warning : warnings) fmt::format_to(out, "  {:<12} {}\n", "warning", warning);
  return text;
}

std::string FitSummary::full_report() const {
  std::string text = brief_report();
  Out out(text);
  fmt::format_to(out, "  {:<12} {}\n", "data", data_fingerprint.empty() ? "unknown" : data_fingerprint);
  if (!fitted_fingerprint.empty()) fmt::format_to(out, "  {:<12} {}\n", "fitted to", fitted_fingerprint);
  report_options(options, out);
  if (!candidates.empty()) report_candidates(candidates, out);
  if (!iterations.empty()) report_iterations(iterations, out);
  if (category_gain.size() > 0 || explained.size() > 0) report_components(*this, out);
  return text;
}

}  // namespace milcci
