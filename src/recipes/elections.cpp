// Elections as in the paper: states are channels, years are time, a trial is one party's share of the votes
// for one office. A state without an election in a year is missing there; a party that did not stand has none
// of the votes.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <numeric>
#include <set>

#include "milcci/recipes.hpp"
#include "read/errors.hpp"
#include "recipes/letters.hpp"
#include "recipes/votes.hpp"
#include "util/web_address.hpp"

namespace milcci {
namespace {

namespace fs = std::filesystem;
using recipes::Votes;

// The years of the paper, in which all three files are complete.
constexpr int kFirstYear = 1976, kLastYear = 2020;
constexpr std::array<const char*, 3> kOffices = {"president", "senate", "house"};

bool is_table(const std::string& name) {
  for (const char* ending : {".csv", ".csv.gz", ".tab", ".tab.gz", ".tsv", ".tsv.gz"})
    if (name.ends_with(ending)) return true;
  return false;
}

// The one table in the folder with the office in its name.
std::string file_of(const std::string& folder, const std::string& office) {
  std::vector<std::string> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (is_table(name) && recipes::upper_case(name).find(recipes::upper_case(office)) != std::string::npos)
      found.push_back(entry.path().string());
  }
  std::sort(found.begin(), found.end());
  if (found.empty())
    read::fail(folder,
               fmt::format("has no table with {0} in its name; put the MIT Election Lab's file there, such "
                           "as 1976-2020-{0}.csv",
                           office));
  if (found.size() > 1)
    read::fail(folder, fmt::format("has {} tables with {} in their name, must have one: {}", found.size(),
                                   office, fmt::join(found, ", ")));
  return found.front();
}

std::string told(const std::string& office, const Votes& votes) {
  std::string text = fmt::format("{}: {} rows, {} elections of a state in a year", office, votes.n_rows,
                                 votes.by_party.size());
  const std::pair<int, const char*> left_out[] = {{votes.n_other_years, "of other years"},
                                                  {votes.n_special, "of special elections"},
                                                  {votes.n_runoff, "of runoffs"},
                                                  {votes.n_no_vote, "of ballots without a vote"}};
  std::vector<std::string> parts;
  for (const auto& [n, what] : left_out)
    if (n > 0) parts.push_back(fmt::format("{} {}", n, what));
  if (!parts.empty()) text += fmt::format("; left out rows: {}", fmt::join(parts, ", "));
  if (votes.n_uncounted > 0)
    text += fmt::format("; elections without a count, where every seat counts as one vote: {}",
                        votes.n_uncounted);
  return text;
}

// The shares of all four parties, one matrix (states x years) each.
std::array<Matrix, 4> shares(const Votes& votes, const std::vector<std::string>& states,
                             const std::vector<int>& years) {
  std::array<Matrix, 4> out;
  out.fill(Matrix::Constant(static_cast<Index>(states.size()), static_cast<Index>(years.size()),
                            std::numeric_limits<double>::quiet_NaN()));
  for (const auto& [election, by_party] : votes.by_party) {
    const Index n = std::lower_bound(states.begin(), states.end(), election.first) - states.begin();
    const Index t = std::lower_bound(years.begin(), years.end(), election.second) - years.begin();
    const double total = std::accumulate(by_party.begin(), by_party.end(), 0.0);
    for (std::size_t p = 0; p < out.size(); ++p) out[p](n, t) = by_party[p] / total;
  }
  return out;
}

}  // namespace

ReadResult read_elections(const std::string& folder) {
  if (!fs::exists(folder) && is_address(folder)) read::fail(folder, why_not_there(folder));
  if (!fs::is_directory(folder))
    read::fail(folder, "is no folder; the recipe elections takes the folder with the files of all offices");
  ReadResult result;
  std::vector<Votes> votes;
  std::set<std::string> codes;
  for (const char* office : kOffices) {
    const std::string path = file_of(folder, office);
    votes.push_back(recipes::read_votes(path, kFirstYear, kLastYear));
    if (votes.back().by_party.empty())
      read::fail(path, fmt::format("has no election from {} to {}", kFirstYear, kLastYear));
    for (const auto& [election, unused] : votes.back().by_party) codes.insert(election.first);
    result.notes.push_back(told(office, votes.back()));
  }

  Trials& trials = result.trials;
  trials.channel_names.assign(codes.begin(), codes.end());
  LabelColumn::Texts parties, offices;
  for (std::size_t o = 0; o < kOffices.size(); ++o) {
    std::set<int> distinct;
    for (const auto& [election, unused] : votes[o].by_party) distinct.insert(election.second);
    const std::vector<int> years(distinct.begin(), distinct.end());
    const std::array<Matrix, 4> by_party = shares(votes[o], trials.channel_names, years);
    for (std::size_t p = 0; p < by_party.size(); ++p) {
      trials.values.push_back(by_party[p]);
      trials.times.push_back(
          Eigen::Map<const Eigen::VectorXi>(years.data(), static_cast<Index>(years.size())).cast<double>());
      parties.emplace_back(recipes::kPartyNames[p]);
      offices.emplace_back(kOffices[o]);
    }
  }
  trials.labels = {{"party", parties}, {"office", offices}};
  return result;
}

}  // namespace milcci
