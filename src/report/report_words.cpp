#include "report/report_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/options_json.hpp"
#include "core/shown_name.hpp"
#include "milcci/components.hpp"
#include "milcci/describe.hpp"

namespace milcci {
namespace {

constexpr const char* kCitation =
    "Mudrik N, Chen Y, Mishne G, Charles AS. Multi-Integration of Labels across Categories for Component "
    "Identification (MILCCI). Preprint.";
constexpr const char* kBibtex =
    "@unpublished{milcci,\n"
    "  title = {Multi-Integration of Labels across Categories for Component Identification ({MILCCI})},\n"
    "  author = {Mudrik, Noga and Chen, Yuxi and Mishne, Gal and Charles, Adam S.},\n"
    "  note = {Preprint}\n"
    "}\n";

// Firmness below which a component may as well belong to another label; web/src/panels/summary_table.ts.
constexpr double kClear = 2;

std::string plural(Index n, const std::string& noun) {
  return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
}

// "a, b and c".
std::string listed(const std::vector<std::string>& parts) {
  if (parts.size() < 2) return parts.empty() ? "" : parts.front();
  return fmt::format("{} and {}", fmt::join(parts.begin(), parts.end() - 1, ", "), parts.back());
}

// All of them: a reader of the page needs to know which, and there is room.
std::string all_names(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(shown_names(names), ", "));
}

std::string lengths_text(const Model& model) {
  Index least = model.traces.front().cols(), most = least;
  for (const Matrix& trace : model.traces)
    least = std::min(least, trace.cols()), most = std::max(most, trace.cols());
  return least == most ? plural(least, "time point") : fmt::format("{} to {} time points", least, most);
}

std::string recording_text(const Model& model) {
  return fmt::format("{} of {} from {}", plural(static_cast<Index>(model.n_trials()), "trial"),
                     model.n_trials() > 0 ? lengths_text(model) : "no time points",
                     plural(model.n_channels(), "channel"));
}

std::string name_of(const ComponentView& view) {
  return fmt::format("{} {}", view.category, view.number + 1);
}

// Components that live and could change with the label of a category, none of which does by more than a
// tenth of its largest membership; empty if one of them does.
std::vector<std::string> hardly_changing(const std::vector<ComponentView>& views,
                                         const std::string& category) {
  std::vector<std::string> names;
  for (const ComponentView& view : views) {
    if (view.category != category || view.is_dead || view.options.size() < 2) continue;
    if (std::ranges::any_of(view.changes, [](const VariantChange& c) { return !c.members.empty(); }))
      return {};
    names.push_back(name_of(view));
  }
  return names;
}

std::string what_was_fitted(const Model& model, const std::vector<ComponentView>& views,
                            bool is_transformed) {
  std::vector<std::string> parts;
  for (const FittedCategory& fitted : model.categories) {
    const CategorySpec& spec = fitted.category.spec;
    const auto n_options = static_cast<Index>(fitted.variants.size());
    const char* are = fitted.n_components() == 1 ? "is" : "are";
    if (spec.kind == CategoryKind::fixed)
      parts.push_back(fmt::format("{} that {} the same in all trials", fitted.n_components(), are));
    else if (n_options < 2)
      parts.push_back(fmt::format("{} of {}, with one option, that {} the same in all trials",
                                  fitted.n_components(), spec.name, are));
    else
      parts.push_back(fmt::format("{} whose members may change{} with {} ({})", fitted.n_components(),
                                  hardly_changing(views, spec.name).empty() ? "" : ", but hardly do,",
                                  spec.name, plural(n_options, "option")));
  }
  return fmt::format("{}: {}; fitted to {}{}.", plural(model.n_components(), "component"), listed(parts),
                     is_transformed ? "other trials, and used here to describe " : "", recording_text(model));
}

std::string how_well(const FitResult& fitted) {
  const auto& [model, summary] = fitted;
  if (static_cast<Index>(model.dead_components().size()) == model.n_components())
    return "They describe nothing: no channel belongs to any of them.";
  std::string text = fmt::format("Together they describe {:.1f} % of the variance of the channels (R2 {:.3f}",
                                 100 * summary.r2, summary.r2);
  if (summary.r2_without_outliers)
    text += fmt::format("; {:.3f} with outliers moved towards the model", *summary.r2_without_outliers);
  return text + "). A high share does not by itself mean that the components are right.";
}

std::string as_sentence(std::string text) {
  if (text.empty()) return text;
  if (text.front() >= 'a' && text.front() <= 'z') text.front() = static_cast<char>(text.front() - 'a' + 'A');
  if (text.back() != '.') text += '.';
  return text;
}

// The names of the components of one certainty.
std::vector<std::string> names_of(const std::vector<ComponentView>& views, Certainty certainty) {
  std::vector<std::string> names;
  for (const ComponentView& view : views)
    if (view.is_dead ? certainty == Certainty::none : view.certainty == certainty)
      names.push_back(name_of(view));
  return names;
}

// What does not depend on its label, and what may belong to another one.
std::vector<std::string> label_sentences(const Model& model, const std::vector<ComponentView>& views) {
  std::vector<std::string> sentences;
  for (const FittedCategory& fitted : model.categories) {
    const std::string& category = fitted.category.spec.name;
    const std::vector<std::string> names = hardly_changing(views, category);
    if (!names.empty())
      sentences.push_back(fmt::format(
          "No membership depends on {}: {} {} hardly anything between its options, so this fit is "
          "no evidence that who belongs together does. Traces may differ all the same.",
          category, all_names(names), names.size() == 1 ? "changes" : "change"));
  }
  std::vector<std::string> unclear;
  for (const ComponentView& view : views)
    if (!view.is_dead && view.firmness < kClear)
      unclear.push_back(fmt::format("{} ({:.2f})", name_of(view), view.firmness));
  if (!unclear.empty())
    sentences.push_back(
        fmt::format("Not clear which label {} to: {} (firmness, 1 is a coin toss, below {:g} is not clear).",
                    unclear.size() == 1 ? "it belongs" : "they belong", fmt::join(unclear, ", "), kClear));
  return sentences;
}

std::vector<std::string> certainty_sentences(const FitResult& fitted,
                                             const std::vector<ComponentView>& views) {
  std::vector<std::string> sentences;
  const auto firm = names_of(views, Certainty::firm), other = names_of(views, Certainty::alternative),
             unstable = names_of(views, Certainty::unstable), dead = names_of(views, Certainty::none);
  if (fitted.summary.certainty.empty() && dead.size() < views.size() &&
      fitted.summary.reason != StopReason::transformed)
    sentences.emplace_back(
        "How certain the components are is not known: there was no other answer to compare with, as after a "
        "short search or from a given start.");
  if (!firm.empty())
    sentences.push_back(
        fmt::format("Firm: {}. Every answer that was found and explains the data about as well has {}.",
                    all_names(firm), firm.size() == 1 ? "it" : "them"));
  if (!other.empty())
    sentences.push_back(
        fmt::format("Alternative: {}. Some answer that explains the data about as well does without; "
                    "do not build on {} alone.",
                    all_names(other), other.size() == 1 ? "it" : "them"));
  if (!unstable.empty())
    sentences.push_back(
        fmt::format("Unstable: {}. Most answers that explain the data about as well do without; do not "
                    "interpret {}.",
                    all_names(unstable), unstable.size() == 1 ? "it" : "them"));
  if (!dead.empty())
    sentences.push_back(fmt::format("Dead: {}. The data did not need {}; ask for fewer components.",
                                    all_names(dead), dead.size() == 1 ? "it" : "them"));
  for (std::string& sentence : label_sentences(fitted.model, views)) sentences.push_back(std::move(sentence));
  return sentences;
}

std::string signs_text(NonNegative signs) {
  switch (signs) {
    case NonNegative::none:
      return "Memberships and traces were of either sign.";
    case NonNegative::components:
      return "Memberships were not negative.";
    case NonNegative::traces:
      return "Traces were not negative.";
    case NonNegative::both:
      return "Neither memberships nor traces were negative.";
  }
  return "";
}

std::string penalties_text(const FitOptions& options) {
  if (options.penalties == PenaltyChoice::fixed)
    return "Penalties had fixed weights, as in the paper that introduces the method.";
  return "Noise levels per channel and the weights of the penalties were estimated from the data.";
}

// Options that were set, as "name = value".
std::string changed_options(const FitOptions& options) {
  const auto shown = [](const auto& member) {
    const Json json = to_json_value(member);
    return json.is_string() ? json.get<std::string>() : json.dump();
  };
  std::vector<std::string> defaults, changed;
  visit_fields(FitOptions{}, [&](const Field&, const auto& member) { defaults.push_back(shown(member)); });
  std::size_t i = 0;
  visit_fields(options, [&](const Field& field, const auto& member) {
    const std::string value = shown(member), name = field.name;
    if (value != defaults[i++] && name != "threads" && name != "seed" && name != "nonnegative")
      changed.push_back(fmt::format("{} = {}", name, value));
  });
  return changed.empty() ? "All other options had their defaults."
                         : fmt::format("Options other than the defaults: {}.", fmt::join(changed, ", "));
}

// Empty if the fit is at rest, or there was none.
std::string why_not_converged(const FitSummary& summary) {
  switch (summary.reason) {
    case StopReason::iteration_limit:
      return fmt::format("it reached the limit of {} iterations", summary.options.max_iterations);
    case StopReason::time_limit:
      return "it reached the time limit";
    case StopReason::interrupted:
      return "it was interrupted";
    case StopReason::stalled:
      return summary.is_at_rest() ? "" : "no step lowered the objective";
    case StopReason::converged:
    case StopReason::transformed:
      break;
  }
  return "";
}

// Empty where nothing is known, or all that live are firm.
std::string how_many_uncertain(const FitSummary& summary) {
  Index uncertain = 0, living = 0;
  for (const Certainty certainty : summary.certainty) {
    living += certainty != Certainty::none;
    uncertain += certainty == Certainty::alternative || certainty == Certainty::unstable;
  }
  if (uncertain == 0) return "";
  return fmt::format(" {} of {} {} uncertain: other answers explained the data about as well without {}.",
                     uncertain, plural(living, "component"), uncertain == 1 ? "was" : "were",
                     uncertain == 1 ? "it" : "them");
}

std::vector<std::string> warnings(const FitSummary& summary) {
  std::vector<std::string> all;
  if (!why_not_converged(summary).empty())
    all.push_back("the fit did not converge, so numbers may still change: " + summary.message);
  all.insert(all.end(), summary.warnings.begin(), summary.warnings.end());
  return all;
}

std::string methods(const FitResult& fitted) {
  const auto& [model, summary] = fitted;
  std::vector<std::string> categories;
  for (const FittedCategory& one : model.categories)
    categories.push_back(fmt::format(
        "{} ({}, {}, {})", one.category.spec.name, to_text(one.category.spec.kind),
        plural(static_cast<Index>(one.variants.size()), "option"), plural(one.n_components(), "component")));
  std::string text = fmt::format(
      "We described {} by MILCCI (Mudrik et al.) as implemented in milcci {}. Components were sparse groups "
      "of channels, each with one variant per option of its category: {}. {} {}",
      recording_text(model), summary.version, listed(categories), signs_text(summary.options.nonnegative),
      penalties_text(summary.options));
  if (summary.options.prior == TracePrior::lds)
    text += " Traces followed a linear dynamical system per trial.";
  if (!summary.candidates.empty())
    text += fmt::format(" The search tried {} starts (effort {}, seed {}).", summary.candidates.size(),
                        to_text(summary.options.effort), summary.options.seed);
  text += fmt::format(" {}", changed_options(summary.options));
  if (summary.reason == StopReason::transformed)
    return text + fmt::format(" Components were fitted to other trials (R2 here {:.3f}).", summary.r2);
  text += fmt::format(" The fit took {} (R2 {:.3f}).",
                      plural(static_cast<Index>(summary.iterations.size()), "iteration"), summary.r2);
  if (const std::string why = why_not_converged(summary); !why.empty())
    text += fmt::format(" It did not converge: {}.", why);
  return text + how_many_uncertain(summary);
}

}  // namespace

Json report_words(const FitResult& fitted) {
  Json words = Json::object();
  const std::vector<ComponentView> views = view_components(fitted, {.n_members = 0});
  const bool is_transformed = fitted.summary.reason == StopReason::transformed;
  words["headline"] = {
      what_was_fitted(fitted.model, views, is_transformed), how_well(fitted),
      is_transformed ? "How the fit went is told by the report of the model that these trials were given to."
                     : as_sentence(fitted.summary.message)};
  words["news"] = worst_news(fitted);
  words["warnings"] = warnings(fitted.summary);
  words["certainty"] = certainty_sentences(fitted, views);
  words["methods"] = methods(fitted);
  words["citation"] = kCitation;
  words["bibtex"] = kBibtex;
  return words;
}

std::string report_text(const Json& words) {
  std::string text = words["news"].get<std::string>();
  for (const char* part : {"headline", "certainty", "warnings"})
    for (const Json& sentence : words[part])
      text.append(text.empty() ? "" : "\n").append(sentence.get<std::string>());
  return text;
}

}  // namespace milcci
