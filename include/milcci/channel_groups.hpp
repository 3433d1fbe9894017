// Which groups of channels (brain regions, kinds of states) a component is made of, against chance.
#pragma once

#include <string>
#include <vector>

#include "milcci/model.hpp"

namespace milcci {

/// One component, under one option, and one group of channels. A member is a channel whose membership is not
/// zero; chance draws as many members from all channels, none twice. Channels without a group are left out.
struct GroupShare {
  std::string category;
  Index component = 0;  ///< within the category, from 0
  std::string option, group;
  std::size_t n_channels = 0, n_members = 0;  ///< of the group
  double share = 0;                           ///< of the component's absolute memberships
  double expected = 0;                        ///< the group's share of the channels
  double p = 1;  ///< of as many members of the group, or more, by chance (hypergeometric)
  double q = 1;  ///< the same as a false discovery rate over all rows (Benjamini and Hochberg)
};

/// A row per living component, option and group, in the order of the model; groups by name. Throws
/// Error(bad_input) if channels have no groups.
std::vector<GroupShare> channel_groups(const Model& model);

/// Groups that stand out (q < 0.05), and the largest share of every component.
std::string to_text(const std::vector<GroupShare>& shares);
/// {"groups": [...]}, see docs/command-line.md, `groups --json`.
std::string to_json(const std::vector<GroupShare>& shares);

}  // namespace milcci
