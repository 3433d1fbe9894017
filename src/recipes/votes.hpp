// Votes of one office: the rows of a file of the MIT Election Lab added up per state, year and party.
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace milcci::recipes {

enum class Party { democrat, republican, libertarian, other };
inline constexpr std::array<const char*, 4> kPartyNames = {"democrat", "republican", "libertarian", "other"};

/// The paper's four groups of parties. State branches of a party count as the party, whatever their name.
Party party_of(std::string_view detailed_name);

/// True for rows that count ballots without a vote for anybody: blank, void, over- and undervotes.
bool is_no_vote(std::string_view candidate);

struct Votes {
  using StateYear = std::pair<std::string, int>;
  std::map<StateYear, std::array<double, 4>> by_party;  ///< only elections that were held
  // Rows that were left out, and why.
  int n_rows = 0, n_other_years = 0, n_special = 0, n_runoff = 0, n_no_vote = 0;
  int n_uncounted = 0;  ///< elections in which no votes were counted: the seats count as one vote each
};

/// Throws Error(bad_file) for a file without the columns needed, or a number that is none.
Votes read_votes(const std::string& path, int first_year, int last_year);

}  // namespace milcci::recipes
