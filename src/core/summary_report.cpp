// The summary of a fit for people: a few lines, or everything.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "core/json_object.hpp"
#include "core/objective_text.hpp"
#include "core/some_names.hpp"
#include "milcci/model.hpp"

namespace milcci {

namespace {

using Out = std::back_insert_iterator<std::string>;

std::string plural(std::size_t n, const std::string& noun) {
  return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
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

// "choice 2" is the second component of the category choice.
std::string component_name(const FitOptions& options, Index component) {
  Index j = component;
  for (const CategorySpec& spec : options.categories) {
    if (j < spec.n_components) return fmt::format("{} {}", spec.name, j + 1);
    j -= spec.n_components;
  }
  return "?";
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
  fmt::format_to(out,
                 "\nIterations\n  {:>5} {:>5} {:>11} {:>11} {:>10} {:>11} {:>10} {:>10} {:>10} {:>10} {:>11} "
                 "{:>8} {:>9} "
                 "{:>9} {:>8}\n",
                 "iter", "stage", "objective", "fit", "sparsity", "consistency", "smoothness", "decorrel.",
                 "transition", "ridge", "uncertainty", "R2", "rel.fall", "movement", "seconds");
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
        "{:>11.4g} {:>8.5f} {:>9.2e} {:>9.2e} {:>8.2f}\n",
        r.iteration, r.stage, o.total(), o.fit, o.sparsity, o.consistency, o.smoothness, o.decorrelation,
        o.transition, o.ridge, o.uncertainty, r.r2, r.relative_change, r.component_change, r.seconds);
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

// The model is chosen on all time points, so that another answer may be ahead on those of the search.
std::string distance(const Alternative& alternative) {
  const double percent = 100 * alternative.behind;
  return percent < 0 ? fmt::format("{:.2g} % ahead on the time points of the search", -percent)
                     : fmt::format("{:.2g} % behind", percent);
}

std::size_t n_dead(const FitSummary& summary) {
  return static_cast<std::size_t>(
      std::count(summary.certainty.begin(), summary.certainty.end(), Certainty::none));
}

// How often the answer was found, and whether others rival it.
std::string lead(const FitSummary& summary) {
  std::string text = plural(summary.candidates.size(), "start");
  if (summary.certainty.empty()) return text;  // of a model from before it was known
  text += summary.times_found > 0
              ? fmt::format("; {} led to this answer",
                            plural(static_cast<std::size_t>(summary.times_found), "finalist"))
              : "; no finalist led straight to this answer";
  if (n_dead(summary) == summary.certainty.size()) return text;
  if (summary.alternatives.empty())
    return text + fmt::format("; no other that was found is about as good, so all {}components are firm",
                              n_dead(summary) > 0 ? "living " : "");
  return text +
         (summary.alternatives.size() == 1 ? "; another is about as good, "
                                           : "; others are about as good, the next ") +
         distance(summary.alternatives.front());
}

// The components that are not firm, or nothing.
std::string uncertain_components(const FitSummary& summary) {
  std::vector<std::string> unstable, alternative;
  for (std::size_t j = 0; j < summary.certainty.size(); ++j) {
    const std::string name = component_name(summary.options, static_cast<Index>(j));
    if (summary.certainty[j] == Certainty::unstable) unstable.push_back(name);
    if (summary.certainty[j] == Certainty::alternative) alternative.push_back(name);
  }
  std::string text;
  if (!unstable.empty())
    text += fmt::format("most other answers about as good do without {} (unstable)", some_names(unstable));
  if (!alternative.empty())
    text += fmt::format("{} does without {} (alternative)",
                        unstable.empty() ? "at least one other answer about as good" : ", at least one",
                        some_names(alternative));
  return text.empty() ? ""
                      : fmt::format("{} of {} components: {}", unstable.size() + alternative.size(),
                                    summary.certainty.size() - n_dead(summary), text);
}

void report_alternatives(const FitSummary& summary, Out out) {
  fmt::format_to(out,
                 "\nOther answers about as good, at most three: how far behind on the time points of the "
                 "search, and the components\nthat they do without, each with its similarity to what is in "
                 "its place\n");
  for (std::size_t i = 0; i < summary.alternatives.size(); ++i) {
    const Alternative& other = summary.alternatives[i];
    fmt::format_to(out, "  {:>6} {:>7.2f} %", i + 1, 100 * other.behind);
    const char* separator = "   ";
    for (Index j = 0; j < other.similarity.size(); ++j) {
      if (other.has(j)) continue;
      fmt::format_to(out, "{}{} ({:.2f})", separator, component_name(summary.options, j),
                     other.similarity(j));
      separator = ", ";
    }
    fmt::format_to(out, "\n");
  }
}

std::string entry(const Vector& values, Index j) {
  return j < values.size() ? fmt::format("{:.3g}", values(j)) : "";
}

// How much variants along each category save, per component; a component whose own column is not clearly
// the largest would fit about as well elsewhere.
void report_components(const FitSummary& summary, Out out) {
  const std::vector<Index> category = category_of_components(summary.options);
  const Vector firmness = summary.firmness();
  const Index n_rows = std::max(summary.category_gain.rows(), summary.explained.size());
  std::vector<std::string> names;
  std::size_t width = 0;
  for (Index j = 0; j < n_rows; ++j) {
    names.push_back(component_name(summary.options, j));
    width = std::max(width, names.back().size());
  }
  fmt::format_to(out,
                 "\nComponents: share of the fitted energy, share of the starts that found it, whether other "
                 "answers about as good\nhave it too, gain from its own category over the next (about 1 is a "
                 "coin toss), and gain from variants along\neach category (* its own)\n");
  fmt::format_to(out, "  {:>9} {:<{}} {:>9} {:>9} {:>11} {:>9}", "component", "", width, "explained",
                 "stability", "certainty", "firmness");
  for (Index k = 0; k < summary.category_gain.cols(); ++k) {
    const auto position = static_cast<std::size_t>(k);
    const bool is_known = position < summary.options.categories.size();
    fmt::format_to(out, " {:>16}", is_known ? summary.options.categories[position].name : "?");
  }
  fmt::format_to(out, "\n");
  for (Index j = 0; j < n_rows; ++j) {
    const auto position = static_cast<std::size_t>(j);
    fmt::format_to(out, "  {:>9} {:<{}} {:>9} {:>9} {:>11} {:>9}", j + 1, names[position], width,
                   entry(summary.explained, j), entry(summary.stability, j),
                   position < summary.certainty.size() ? to_text(summary.certainty[position]) : "",
                   entry(firmness, j));
    if (j < summary.category_gain.rows()) {
      for (Index k = 0; k < summary.category_gain.cols(); ++k) {
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
  // Of the component's energy. A component that gains less does not vary, although there may be no other
  // category to gain from: its firmness is then below one.
  constexpr double kNothing = 1e-4;
  Vector firmness(category_gain.rows());
  for (Index j = 0; j < firmness.size(); ++j) {
    Eigen::RowVectorXd others = category_gain.row(j);
    others(category[static_cast<std::size_t>(j)]) = 0.0;
    const double own = category_gain(j, category[static_cast<std::size_t>(j)]);
    const double nothing = j < explained.size() ? kNothing * explained(j) : 0.0;
    firmness(j) = own > 0 ? own / std::max(others.maxCoeff(), nothing) : 0.0;
  }
  return firmness;
}

std::string FitSummary::brief_report() const {
  std::string text;
  Out out(text);
  fmt::format_to(out, "milcci {}: {}\n", version, message);
  fmt::format_to(out, "  {:<12} {:.6f}", "R2", r2);
  if (r2_without_outliers) fmt::format_to(out, ", without outliers {:.6f}", *r2_without_outliers);
  fmt::format_to(out, "\n");
  if (objective) fmt::format_to(out, "  {:<12} {}\n", "objective", objective_to_text(*objective));
  fmt::format_to(out, "  {:<12} {}\n", "components", component_counts(options));
  if (reason != StopReason::transformed)
    fmt::format_to(out, "  {:<12} {:.2f} s (start {:.2f}, traces {:.2f}, components {:.2f})\n", "time",
                   seconds_total, seconds_start, seconds_traces, seconds_components);
  if (reason != StopReason::transformed) fmt::format_to(out, "  {:<12} {}\n", "seed", options.seed);
  if (!candidates.empty()) fmt::format_to(out, "  {:<12} {}\n", "search", lead(*this));
  if (const std::string list = uncertain_components(*this); !list.empty())
    fmt::format_to(out, "  {:<12} {}\n", "uncertain", list);
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
  if (!alternatives.empty()) report_alternatives(*this, out);
  return text;
}

}  // namespace milcci
