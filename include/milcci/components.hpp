// The components of a model as people ask for them: who belongs to each, under which option it is strongest,
// and who joins or leaves from option to option. As numbers, as text, as JSON, and as tables (CSV).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "milcci/evaluate.hpp"
#include "milcci/files.hpp"
#include "milcci/model.hpp"

namespace milcci {

/// A channel with a membership under at least one option.
struct Member {
  Index channel = 0;
  std::string name, group;          ///< the group is empty if channels have none
  std::vector<double> memberships;  ///< per option
};

enum class ChangeKind { gained, lost, changed };
const std::vector<std::string>& value_names(ChangeKind);

/// A member that differs between two options by more than a tenth of the largest membership that the
/// component has under any option.
struct MemberChange {
  std::string name;
  ChangeKind kind = ChangeKind::changed;  ///< gained: below that tenth before; lost: after
  double before = 0, after = 0;
};

/// What differs between two variants of a component.
struct VariantChange {
  std::size_t from = 0, to = 0;       ///< options
  double similarity = 1;              ///< cosine of the two variants
  std::vector<MemberChange> members;  ///< largest difference first
};

struct ComponentView {
  Index position = 0;  ///< among all components, from 0
  std::string category;
  CategoryKind kind = CategoryKind::categorical;
  Index number = 0;  ///< within the category, from 0
  bool is_dead = false;
  /// As in `FitSummary`; NaN, or empty, where it is not known.
  double explained = 0, stability = 0, firmness = 0;
  std::optional<Certainty> certainty;
  bool is_found_once = false;  ///< one start of at least four found it, or none

  std::vector<std::string> options;
  /// Per option: root mean square of what the component adds to a channel in the trials of that option, in
  /// the unit of the data.
  std::vector<double> strength;
  std::size_t strongest = 0;  ///< option

  /// Nine tenths of the membership, or more, are on one channel under every option: it describes that channel
  /// and not a group.
  bool is_on_one_channel = false;
  std::size_t n_members = 0;
  std::vector<Member> members;  ///< largest membership first, as many as asked for
  double left_out = 0;          ///< mean share of membership that members beyond them hold
  /// From each option to the next where options are ordered or only two, else from the strongest option to
  /// every other one. Those that differ most come first.
  std::vector<VariantChange> changes;
};

struct ViewOptions {
  std::string category = {};            ///< of this category only; empty: of all
  std::optional<Index> component = {};  ///< only this one, from 0: within the category, or among all
  std::size_t n_members = 10;           ///< members to keep of each
};

/// Throws Error(bad_option) for a category or component that the model does not have.
std::vector<ComponentView> view_components(const FitResult& result, const ViewOptions& options = {});

/// Tables of memberships, and what changes between options.
std::string to_text(const std::vector<ComponentView>& components);
/// {"components": [...]}, see docs/command-line.md.
std::string to_json(const std::vector<ComponentView>& components);

/// A row per component: share, stability, certainty, firmness, strongest channels, what changes most. Below
/// it a sentence on every mark in it.
std::string components_table(const FitResult& result);

/// Why the model is not to be trusted: every component is dead, or it explains less than the channels' means.
/// Empty if neither is the case.
std::string worst_news(const FitResult& result);

/// The tables of `export_tables` in this folder: memberships.csv, traces.csv, trials.csv, components.csv,
/// channels.csv and fit.csv.
std::vector<std::string> export_paths(const std::string& folder);

/// Writes these tables into a folder, which is made if it is not there. With an evaluation of the trials,
/// trials.csv has their errors, too. All numbers read back to the same bits. Throws Error(bad_file) if a
/// table exists (with Overwrite::no) or cannot be written. Returns the paths.
std::vector<std::string> export_tables(const std::string& folder, const FitResult& result,
                                       const Evaluation* evaluation = nullptr,
                                       Overwrite overwrite = Overwrite::no);

}  // namespace milcci
