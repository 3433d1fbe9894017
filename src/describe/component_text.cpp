// Components as tables for people, and as JSON for programs.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/json_object.hpp"
#include "core/shown_name.hpp"
#include "describe/aligned.hpp"
#include "milcci/components.hpp"

namespace milcci {
namespace {

constexpr std::size_t kOptionsShown = 8, kChangesShown = 6, kMembersShown = 6, kNameWidth = 24;

std::string member_name(const std::string& name) {
  return shown_name(name, kNameWidth);
}

// All options, or some of many, the first and the last among them.
std::vector<std::size_t> shown_options(std::size_t n) {
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < std::min(n, kOptionsShown); ++i)
    shown.push_back(n <= kOptionsShown ? i : i * (n - 1) / (kOptionsShown - 1));
  return shown;
}

std::string membership_text(double value) {
  return value == 0 ? "." : fmt::format("{:.3f}", value);
}

std::string number_text(double value, const char* unknown = "") {
  return std::isnan(value) ? unknown : fmt::format("{:.3g}", value);
}

std::string percent_text(double value) {
  return std::isnan(value) ? "" : fmt::format("{:.1f} %", 100 * value);
}

// Beyond a hundred it is all the same.
std::string firmness_text(double value) {
  return value > 100 ? "> 100" : number_text(value);
}

std::string title(const ComponentView& view) {
  std::vector<std::string> facts;
  if (!std::isnan(view.explained))
    facts.push_back(percent_text(view.explained) + " of what the model explains");
  if (!std::isnan(view.stability))
    facts.push_back("found by " + percent_text(view.stability) + " of the starts");
  if (view.certainty) facts.push_back(to_text(*view.certainty));
  if (!std::isnan(view.firmness)) facts.push_back("firmness " + firmness_text(view.firmness));
  if (view.is_dead) facts = {"dead: it has no member"};
  return fmt::format("{} {} ({}, component {} of the model): {}\n", shown_name(view.category),
                     view.number + 1, to_text(view.kind), view.position + 1, fmt::join(facts, ", "));
}

std::string memberships_text(const ComponentView& view) {
  const std::vector<std::size_t> options = shown_options(view.options.size());
  const bool has_groups = std::ranges::any_of(view.members, [](const Member& m) { return !m.group.empty(); });
  std::vector<std::vector<std::string>> rows(2);
  rows[0] = {"channel"}, rows[1] = {"strength"};
  if (has_groups) rows[0].emplace_back("group"), rows[1].emplace_back("");
  for (const std::size_t i : options) {
    rows[0].push_back(shown_name(view.options[i], 16));
    rows[1].push_back(number_text(view.strength[i]));
  }
  for (const Member& member : view.members) {
    std::vector<std::string>& row = rows.emplace_back();
    row.push_back(member_name(member.name));
    if (has_groups) row.push_back(member_name(member.group));
    for (const std::size_t i : options) row.push_back(membership_text(member.memberships[i]));
  }
  std::string out = aligned(rows, has_groups ? 2 : 1, "  ");
  if (view.n_members > view.members.size())
    out += fmt::format("  and {} more with {} of the membership\n", view.n_members - view.members.size(),
                       percent_text(view.left_out));
  if (view.options.size() > options.size())
    out +=
        fmt::format("  {} of {} options are shown; the JSON has all\n", options.size(), view.options.size());
  return out;
}

std::string members_text(const VariantChange& change, ChangeKind kind) {
  std::vector<std::string> names;
  std::size_t n = 0;
  for (const MemberChange& member : change.members) {
    if (member.kind != kind || ++n > kMembersShown) continue;
    const std::string name = member_name(member.name);
    names.push_back(kind == ChangeKind::gained ? fmt::format("{} {:.3f}", name, member.after)
                    : kind == ChangeKind::lost
                        ? fmt::format("{} {:.3f}", name, member.before)
                        : fmt::format("{} {:.3f} -> {:.3f}", name, member.before, member.after));
  }
  if (n > names.size()) names.push_back(fmt::format("and {} more", n - names.size()));
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string changes_text(const ComponentView& view) {
  std::string out;
  for (std::size_t c = 0; c < std::min(view.changes.size(), kChangesShown); ++c) {
    const VariantChange& change = view.changes[c];
    out += fmt::format("  from {} to {}: similarity {:.2f}{}\n", shown_name(view.options[change.from], 24),
                       shown_name(view.options[change.to], 24), change.similarity,
                       change.members.empty() ? ", no member gained, lost or clearly changed" : "");
    for (const ChangeKind kind : {ChangeKind::gained, ChangeKind::lost, ChangeKind::changed})
      if (const std::string members = members_text(change, kind); !members.empty())
        out += fmt::format("    {:<8} {}\n", to_text(kind), members);
  }
  if (view.changes.size() > kChangesShown)
    out += fmt::format("  and {} pairs of options that differ less; the JSON has them\n",
                       view.changes.size() - kChangesShown);
  return out;
}

// The members that lead it where it is strongest.
std::string leaders(const ComponentView& view) {
  constexpr std::size_t kLeaders = 2;
  std::vector<const Member*> members;
  for (const Member& member : view.members)
    if (member.memberships[view.strongest] != 0) members.push_back(&member);
  std::ranges::stable_sort(members, std::greater{},
                           [&](const Member* m) { return std::abs(m->memberships[view.strongest]); });
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(members.size(), kLeaders); ++i)
    names.push_back(
        fmt::format("{} {:.2f}", shown_name(members[i]->name, 16), members[i]->memberships[view.strongest]));
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string largest_change(const ComponentView& view) {
  if (view.is_dead) return "";
  if (view.options.size() < 2) return "it does not adjust";
  const VariantChange& change = view.changes.front();
  if (change.members.empty()) return "hardly anything";
  const MemberChange& member = change.members.front();
  return fmt::format("{} to {}: {} {}", shown_name(view.options[change.from], 12),
                     shown_name(view.options[change.to], 12), to_text(member.kind),
                     shown_name(member.name, 16));
}

std::string marks(const ComponentView& view) {
  const bool is_uncertain =
      view.certainty && (*view.certainty == Certainty::alternative || *view.certainty == Certainty::unstable);
  return std::string(is_uncertain ? "?" : "") + (view.is_found_once ? "!" : "") +
         (view.is_on_one_channel ? "1" : "");
}

Json to_object(const ComponentView& view) {
  Json members = Json::array(), changes = Json::array();
  for (const Member& member : view.members)
    members.push_back({{"channel", member.name},
                       {"group", member.group.empty() ? Json(nullptr) : Json(member.group)},
                       {"memberships", member.memberships}});
  for (const VariantChange& change : view.changes) {
    Json of_members = Json::array();
    for (const MemberChange& member : change.members)
      of_members.push_back({{"channel", member.name},
                            {"change", to_text(member.kind)},
                            {"before", member.before},
                            {"after", member.after}});
    changes.push_back({{"from", view.options[change.from]},
                       {"to", view.options[change.to]},
                       {"similarity", to_json_value(change.similarity)},
                       {"members", std::move(of_members)}});
  }
  return {{"component", view.position + 1},
          {"category", view.category},
          {"kind", to_text(view.kind)},
          {"number", view.number + 1},
          {"dead", view.is_dead},
          {"on_one_channel", view.is_on_one_channel},
          {"explained", to_json_value(view.explained)},
          {"stability", to_json_value(view.stability)},
          {"certainty", view.certainty ? Json(to_text(*view.certainty)) : Json(nullptr)},
          {"firmness", to_json_value(view.firmness)},
          {"options", view.options},
          {"strength", view.strength},
          {"strongest", view.options.empty() ? Json(nullptr) : Json(view.options[view.strongest])},
          {"n_members", view.n_members},
          {"members", std::move(members)},
          {"changes", std::move(changes)}};
}

}  // namespace

std::string to_text(const std::vector<ComponentView>& components) {
  std::string out;
  for (const ComponentView& view : components) {
    if (!out.empty()) out += "\n";
    out += title(view);
    if (!view.is_dead) out += memberships_text(view) + changes_text(view);
  }
  return out;
}

std::string to_json(const std::vector<ComponentView>& components) {
  Json all = Json::array();
  for (const ComponentView& view : components) all.push_back(to_object(view));
  return Json{{"components", std::move(all)}}.dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string components_table(const FitResult& result) {
  constexpr std::size_t kEnough = 100;  // members, of which the strongest under one option are named
  const std::vector<ComponentView> views = view_components(result, {.n_members = kEnough});
  std::vector<std::vector<std::string>> rows = {{"component", "", "explained", "stability", "certainty",
                                                 "firmness", "strongest channels", "under", "changes most"}};
  bool is_any_uncertain = false, is_any_found_once = false, is_any_on_one = false;
  for (const ComponentView& view : views) {
    const std::string mark = marks(view);
    is_any_uncertain = is_any_uncertain || mark.starts_with('?');
    is_any_found_once = is_any_found_once || view.is_found_once;
    is_any_on_one = is_any_on_one || view.is_on_one_channel;
    rows.push_back(
        {fmt::format("{} {}", shown_name(view.category, 20), view.number + 1), mark,
         percent_text(view.explained), number_text(view.stability),
         view.is_dead     ? "dead"
         : view.certainty ? to_text(*view.certainty)
                          : "",
         firmness_text(view.firmness), leaders(view),
         view.is_dead || view.options.size() < 2 ? "" : shown_name(view.options[view.strongest], 16),
         largest_change(view)});
  }
  std::string out = aligned(rows, rows.front().size(), "  ");
  if (is_any_uncertain)
    out +=
        "  ? other answers explain the data about as well without this component: do not build on it alone; "
        "try `effort` = thorough, another seed, fewer components or more trials\n";
  if (is_any_found_once)
    out += fmt::format(
        "  ! at most one of {} starts found this component by itself: another seed may find another in its "
        "place; compare two fits by milcci evaluate MODEL MODEL\n",
        result.summary.candidates.size());
  if (is_any_on_one)
    out +=
        "  1 it lives on one channel: it describes that channel and not a group; scale the channels, or ask "
        "for "
        "fewer components\n";
  return out;
}

}  // namespace milcci
