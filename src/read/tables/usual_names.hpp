// The names that people usually give to the columns of a recording.
#pragma once

#include <string>
#include <vector>

namespace milcci::read {

/// In order of preference, small letters and digits only.
using UsualNames = std::vector<std::string>;
extern const UsualNames kTrialNames, kChannelNames, kGroupNames, kTimeNames, kValueNames;

/// The place in the list, or its length. Case, blanks and punctuation do not count: "Trial_ID" is "trialid".
std::size_t rank_among(const UsualNames& usual, const std::string& name);
inline bool is_among(const UsualNames& usual, const std::string& name) {
  return rank_among(usual, name) < usual.size();
}

}  // namespace milcci::read
