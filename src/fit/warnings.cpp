#include "fit/warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "milcci/error.hpp"
#include "start/align_by_traces.hpp"
#include "start/likeness.hpp"

namespace milcci {
namespace {

// Per channel, whether component j has it under any option.
std::vector<bool> members(const std::vector<Matrix>& variants, Index j) {
  std::vector<bool> is_member(static_cast<std::size_t>(variants[0].rows()), false);
  for (const Matrix& variant : variants)
    for (Index n = 0; n < variant.rows(); ++n)
      if (variant(n, j) != 0) is_member[static_cast<std::size_t>(n)] = true;
  return is_member;
}

// The session that has all of these channels while no other has any; their number if there is none, or no
// channel.
std::size_t only_session(const std::vector<Session>& sessions, const std::vector<bool>& channels) {
  std::size_t found = sessions.size();
  for (std::size_t s = 0; s < sessions.size(); ++s)
    for (std::size_t n = 0; n < channels.size(); ++n) {
      if (!channels[n] || !sessions[s].has_channel[n] || found == s) continue;
      if (found < sessions.size()) return sessions.size();
      found = s;
    }
  return found;
}

// Why component j under one option is component j under the next.
std::string what_tells_order(const Design& design, bool may_flip, const State& state, std::size_t k) {
  if (design.n_components(k) < 2) return "";
  return do_traces_tell(design, may_flip, state, k)
             ? "; which component continues which is told by their mean traces, not by their memberships"
             : "; which component continues which from option to option is arbitrary";
}

std::string instead_of_consistency(const Design& design, std::size_t k) {
  const CategorySpec& spec = design.categories[k].spec;
  if (spec.kind == CategoryKind::trial_number) return "a lower `consistency`";
  return fmt::format("`category` = {}={}:free, which does not claim that one continues the other", spec.name,
                     design.n_components(k));
}

std::string why_dropped(const Deaths& deaths, Index j) {
  const bool is_known = j < deaths.r2_gain.size() && std::isfinite(deaths.r2_gain(j));
  const std::string rise = is_known
                               ? fmt::format("R2 would rise by {:.2g} with it, less than", deaths.r2_gain(j))
                               : std::string("R2 falls without it by less than");
  if (deaths.is_judged_by_noise)
    return fmt::format(
        "the search dropped it, because {} what noise alone would do (`redundancy` = 0 keeps all)", rise);
  return fmt::format("the search dropped it, because {} `redundancy` = {:.3g} (0 keeps all)", rise,
                     deaths.redundancy);
}

}  // namespace

void check_against_data(const FitOptions& options, const Design& design, const TrialData& data,
                        std::vector<std::string>& warnings) {
  if (!(data.energy() > 0))
    throw Error(ErrorKind::bad_input, "every observed value is zero; there is nothing to fit");
  if (design.n_components() > data.n_channels())
    throw Error(
        ErrorKind::bad_option,
        fmt::format("{} components in all, but the trials have only {} channels; ask for fewer components",
                    design.n_components(), data.n_channels()));
  for (const Category& category : design.categories)
    if (category.n_options() == 1 && category.spec.kind != CategoryKind::fixed)
      warnings.push_back(
          fmt::format("category '{}' has one option only ('{}') in these trials, so its components "
                      "cannot adjust",
                      category.spec.name, category.options[0]));
  if (data.has_negative() && options.nonnegative == NonNegative::both)
    warnings.emplace_back(
        "the data hold negative values, which non-negative components and traces cannot express; "
        "consider shifting the data, or `nonnegative` = components");
}

void warn_of_uncertainty(const FitSummary& summary, std::vector<std::string>& warnings) {
  const auto count = [&](Certainty word) {
    return std::count(summary.certainty.begin(), summary.certainty.end(), word);
  };
  const auto n = static_cast<long>(summary.certainty.size()) - count(Certainty::none);
  const auto n_firm = count(Certainty::firm);
  if (2 * n_firm >= n) return;
  warnings.push_back(fmt::format(
      "most components are uncertain ({} of {}): other answers explain the data about as well without "
      "them, so do not interpret them one by one; try `effort` = thorough, fewer components, or more trials",
      n - n_firm, n));
}

void warn_of_cancellation(const Statistics& statistics, const TrialData& data,
                          std::vector<std::string>& warnings) {
  constexpr double kSuspicious = 100.0;
  double trace_energy = 0.0;
  for (const LabelSums& sums : statistics.labels) trace_energy += sums.G.trace();
  if (trace_energy > kSuspicious * data.energy())
    warnings.push_back(
        fmt::format("components cancel each other: their parts hold {:.0f} times the energy of the data; "
                    "ask for fewer components, non-negativity, smoothness or decorrelation",
                    trace_energy / data.energy()));
}

void warn_of_dissimilar_variants(const Design& design, bool may_flip, const State& state,
                                 std::vector<std::string>& warnings) {
  for (std::size_t k = 0; k < design.n_categories(); ++k) {
    const Likeness likeness = likeness_of_variants(design, state.components, k);
    if (!likeness.is_slight()) continue;
    warnings.push_back(
        fmt::format("category '{}': the consistency penalty fights the data; variants of a component are "
                    "hardly more alike from option to option (mean cosine {:.2f}) than different components "
                    "are ({:.2f}){}; try {}",
                    design.categories[k].spec.name, likeness.of_variants, likeness.of_strangers,
                    what_tells_order(design, may_flip, state, k), instead_of_consistency(design, k)));
  }
}

void warn_of_channels_apart(const ObservedTogether& together, std::vector<std::string>& warnings) {
  if (together.is_noticeable()) warnings.push_back(describe(together));
}

void warn_of_components_of_one_session(const Model& model, const ObservedTogether& together,
                                       std::vector<std::string>& warnings) {
  if (together.sessions.empty()) return;
  for (std::size_t k = 0; k < model.categories.size(); ++k)
    for (Index j = 0; j < model.categories[k].variants[0].cols(); ++j) {
      const std::size_t session = only_session(together.sessions, members(model.categories[k].variants, j));
      if (session == together.sessions.size()) continue;
      warnings.push_back(fmt::format(
          "component {} of category '{}' lives in one session only: its channels were all recorded in the {} "
          "trials of session {} and in no others; the values do not tell whether it goes on elsewhere",
          j + 1, model.categories[k].category.spec.name, together.sessions[session].n_trials, session + 1));
    }
}

void warn_of_dead_components(const Model& model, const Deaths& deaths, const ObservedTogether& together,
                             std::vector<std::string>& warnings) {
  if (std::ssize(model.dead_components()) == model.n_components()) {
    static const std::string kNothing =
        "nothing was found: no component is alive, so the model says nothing about the data "
        "beyond their baseline; they may be noise alone, or need other preparation "
        "(smoothing, scaling) or other labels";
    warnings.insert(warnings.begin(), kNothing);
    return;
  }
  for (const Index dead : model.dead_components()) {
    const Model::Place place = model.place(dead);
    std::string why = deaths.is_given_start ? "the start gave it no channel, or sparsity left it none"
                                            : "sparsity left it no channel";
    const auto position = static_cast<std::size_t>(dead);
    if (position < deaths.is_noise.size() && deaths.is_noise[position])
      why = "it did not stand out of what noise alone would do";
    if (position < deaths.is_dropped.size() && deaths.is_dropped[position]) why = why_dropped(deaths, dead);
    const char* const advice = together.is_noticeable() ? "where channels were never observed together a "
                                                          "component can be missed: try other seeds or more "
                                                          "`restarts` before you ask for fewer components"
                                                        : "ask for fewer components";
    warnings.push_back(fmt::format("component {} of category '{}' is dead: {}; {}", place.component + 1,
                                   model.categories[place.category].category.spec.name, why, advice));
  }
}

}  // namespace milcci
