// One row of the files is a candidate, in some states a candidate on one party's line. To know of them:
// - Where a majority was needed, the election of November has the stage `pre`, and its runoff `gen`.
// - A seat without a contest has one vote (once -1) and no count. Beside counted votes that is nothing;
//   where a state had no contest at all, the shares are those of the seats.
// - The total of votes includes blank and void ballots in some states only (in New York up to 43 %). It
//   is not used: the total is the sum of the votes for somebody.
#include "recipes/votes.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "recipes/letters.hpp"
#include "recipes/named_rows.hpp"

namespace milcci::recipes {
namespace {

struct Row {
  Votes::StateYear election;
  std::string district, stage;
  Party party;
  double n_votes;
};

bool is_true(std::string_view text) {
  return upper_case(text) == "TRUE";
}

class VotesReader {
 public:
  explicit VotesReader(const std::string& path) : rows_(path) {}

  Votes read(int first_year, int last_year) {
    while (rows_.next()) {
      ++votes_.n_rows;
      const long long year = rows_.integer(year_);
      if (year < first_year || year > last_year)
        ++votes_.n_other_years;
      else if (is_true(rows_.cell(special_)))
        ++votes_.n_special;
      else if (is_true(rows_.cell(runoff_)) || upper_case(rows_.cell(stage_)) == "RUNOFF")
        ++votes_.n_runoff;
      else if (is_no_vote(rows_.cell(candidate_)))
        ++votes_.n_no_vote;
      else
        kept_.push_back(row(static_cast<int>(year)));
    }
    add_up();
    return std::move(votes_);
  }

 private:
  Row row(int year) const {
    const long long n_votes = rows_.integer(candidate_votes_);
    if (n_votes < -1) rows_.fail(candidate_votes_, "a number of votes, or -1 if they were not counted");
    const std::string state = upper_case(rows_.cell(state_));
    if (state.size() != 2) rows_.fail(state_, "a state's code of two letters");
    return {{state, year},
            std::string(rows_.cell(district_)),
            upper_case(rows_.cell(stage_)),
            party_of(rows_.cell(party_)),
            n_votes < 0 ? 1.0 : static_cast<double>(n_votes)};
  }

  void add_up() {
    std::set<std::pair<Votes::StateYear, std::string>> has_pre;
    for (const Row& row : kept_)
      if (row.stage == "PRE") has_pre.insert({row.election, row.district});
    std::map<Votes::StateYear, double> most;
    for (const Row& row : kept_) {
      if (row.stage != "PRE" && has_pre.contains({row.election, row.district})) {
        ++votes_.n_runoff;
        continue;
      }
      votes_.by_party[row.election][static_cast<std::size_t>(row.party)] += row.n_votes;
      most[row.election] = std::max(most[row.election], row.n_votes);
    }
    for (const auto& [election, n_votes] : most) {
      if (n_votes <= 1) ++votes_.n_uncounted;
      if (n_votes == 0) votes_.by_party.erase(election);
    }
  }

  NamedRows rows_;
  std::size_t year_ = rows_.column("year"), state_ = rows_.column("state_po");
  std::size_t candidate_ = rows_.column("candidate"), candidate_votes_ = rows_.column("candidatevotes");
  // In the files of president and senate, and in that of the house.
  std::size_t party_ = rows_.column(rows_.find("party_detailed") ? "party_detailed" : "party");
  std::optional<std::size_t> district_ = rows_.find("district"), stage_ = rows_.find("stage");
  std::optional<std::size_t> special_ = rows_.find("special"), runoff_ = rows_.find("runoff");
  std::vector<Row> kept_;
  Votes votes_;
};

}  // namespace

Party party_of(std::string_view detailed_name) {
  static const std::map<std::string, Party> parties = {
      {"DEMOCRAT", Party::democrat},
      {"DEMOCRAT (NOT IDENTIFIED ON BALLOT)", Party::democrat},
      // Minnesota and North Dakota.
      {"DEMOCRATIC-FARMER-LABOR", Party::democrat},
      {"DEMOCRATIC-FARM-LABOR", Party::democrat},
      {"DEMOCRATIC-NONPARTISAN LEAGUE", Party::democrat},
      {"DEMOCRATIC-NPL", Party::democrat},
      {"REPUBLICAN", Party::republican},
      // Minnesota until 1995; not in the paper's table.
      {"INDEPENDENT-REPUBLICAN", Party::republican},
      {"LIBERTARIAN", Party::libertarian},
  };
  const auto found = parties.find(upper_case(detailed_name));
  return found == parties.end() ? Party::other : found->second;
}

bool is_no_vote(std::string_view candidate) {
  std::string name;
  for (const char c : upper_case(candidate))
    if (c != ' ') name += c;
  return name == "VOID" || name.starts_with("VOIDVOTE") || name.starts_with("BLANKVOTE") ||
         name.starts_with("OVERVOTE") || name.starts_with("UNDERVOTE");
}

Votes read_votes(const std::string& path, int first_year, int last_year) {
  return VotesReader(path).read(first_year, last_year);
}

}  // namespace milcci::recipes
