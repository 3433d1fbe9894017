// Small files in the form of the MIT Election Lab's, one pitfall each.
#include <gtest/gtest.h>

#include <cmath>

#include "milcci/recipes.hpp"
#include "recipes/votes.hpp"
#include "support/reading.hpp"

namespace milcci {
namespace {

using recipes::Party;
using testing::expect_error;
using testing::TemporaryDirectory;

constexpr const char* kPresident = "year,state_po,candidate,party_detailed,candidatevotes,totalvotes\n";
constexpr const char* kSenate = "year,state_po,stage,special,candidate,party_detailed,candidatevotes\n";
constexpr const char* kHouse = "year,state_po,district,stage,runoff,special,candidate,party,candidatevotes\n";

struct Files {
  std::string president = "1976,AL,A,DEMOCRAT,60,100\n1976,AL,B,REPUBLICAN,40,100\n";
  std::string senate = "1976,AL,gen,False,A,DEMOCRAT,10\n";
  std::string house = "1976,AL,1,GEN,NA,False,A,DEMOCRAT,10\n";

  ReadResult read() const {
    const TemporaryDirectory folder;
    folder.write("president.csv", kPresident + president);
    folder.write("1976-2020-SENATE.csv", kSenate + senate);
    folder.write("house.csv", kHouse + house);
    return read_elections(folder.path());
  }
};

// The share of a party (0 democrat, 1 republican, 2 libertarian, 3 other) in an office (0, 1, 2), by
// position.
double share(const ReadResult& result, std::size_t office, std::size_t party, Index state = 0,
             Index year = 0) {
  return result.trials.values[4 * office + party](state, year);
}

TEST(Elections, ATrialPerOfficeAndPartyWithSharesThatSumToOne) {
  const ReadResult result = Files{}.read();
  EXPECT_EQ(result.trials.n_trials(), 12u);
  EXPECT_EQ(testing::label_texts(result.trials, "office")[4], "senate");
  EXPECT_EQ(testing::label_texts(result.trials, "party")[6], "libertarian");
  EXPECT_DOUBLE_EQ(share(result, 0, 0), 0.6);
  EXPECT_DOUBLE_EQ(share(result, 0, 1), 0.4);
  EXPECT_DOUBLE_EQ(share(result, 0, 2), 0.0);
  EXPECT_DOUBLE_EQ(result.trials.times[0](0), 1976);
}

TEST(Elections, AStateWithoutAnElectionIsMissingNotZero) {
  Files files;
  files.senate += "1978,AK,gen,False,A,REPUBLICAN,5\n";
  const ReadResult result = files.read();
  EXPECT_EQ(result.trials.channel_names, (std::vector<std::string>{"AK", "AL"}));
  EXPECT_TRUE(std::isnan(share(result, 1, 0, 0, 0)));
  EXPECT_EQ(share(result, 1, 0, 0, 1), 0.0);
  EXPECT_EQ(share(result, 1, 1, 0, 1), 1.0);
  EXPECT_TRUE(std::isnan(share(result, 0, 0, 0, 0)));
}

TEST(Elections, SpecialsRunoffsAndOtherYearsAreLeftOut) {
  Files files;
  files.senate +=
      "1976,AL,gen,True,B,REPUBLICAN,99\n1976,AL,runoff,False,C,REPUBLICAN,99\n"
      "2021,GA,runoff,False,C,REPUBLICAN,99\n";
  files.house += "1976,AL,1,GEN,TRUE,False,B,REPUBLICAN,99\n2022,AL,1,GEN,NA,False,B,REPUBLICAN,99\n";
  const ReadResult result = files.read();
  EXPECT_EQ(share(result, 1, 0), 1.0);
  EXPECT_EQ(share(result, 2, 0), 1.0);
  EXPECT_EQ(result.trials.n_times(8), 1);
  EXPECT_NE(testing::all_notes(result).find("1 of other years, 1 of special elections, 1 of runoffs"),
            std::string::npos);
}

TEST(Elections, WhereTheStageIsPreTheStageGenIsItsRunoff) {
  Files files;
  files.senate =
      "1992,GA,gen,False,A,REPUBLICAN,90\n1992,GA,pre,False,A,REPUBLICAN,4\n1992,GA,pre,False,B,DEMOCRAT,6\n";
  EXPECT_DOUBLE_EQ(share(files.read(), 1, 0, 1), 0.6);
}

TEST(Elections, DistrictsAndPartyLinesAddUp) {
  Files files;
  files.house =
      "1976,AL,1,GEN,NA,False,A,DEMOCRAT,10\n1976,AL,1,GEN,NA,False,A,LIBERAL,10\n"
      "1976,AL,2,GEN,NA,False,B,DEMOCRATIC-FARM-LABOR,30\n1976,AL,2,GEN,NA,False,C,INDEPENDENT-REPUBLICAN,"
      "50\n";
  const ReadResult result = files.read();
  EXPECT_DOUBLE_EQ(share(result, 2, 0), 0.4);
  EXPECT_DOUBLE_EQ(share(result, 2, 1), 0.5);
  EXPECT_DOUBLE_EQ(share(result, 2, 3), 0.1);
}

TEST(Elections, BallotsWithoutAVoteCountNowhere) {
  Files files;
  files.president += "1976,AL,BLANK VOTE/SCATTERING,,300,400\n1976,AL,OVER VOTES,NA,7,400\n";
  EXPECT_DOUBLE_EQ(share(files.read(), 0, 0), 0.6);
  EXPECT_FALSE(recipes::is_no_vote("BLANKENSHIP, DON"));
  EXPECT_FALSE(recipes::is_no_vote("SCATTERING"));
  EXPECT_TRUE(recipes::is_no_vote("Under Votes"));
}

TEST(Elections, SeatsWithoutAContestWeighNothingBesideCountedVotes) {
  Files files;
  files.house =
      "1976,AL,1,GEN,NA,False,A,DEMOCRAT,1000000\n1976,AL,2,GEN,NA,False,B,REPUBLICAN,-1\n"
      "1978,AL,1,GEN,NA,False,A,DEMOCRAT,1\n1978,AL,2,GEN,NA,False,B,REPUBLICAN,1\n";
  const ReadResult result = files.read();
  EXPECT_NEAR(share(result, 2, 0, 0, 0), 1.0, 2e-6);
  EXPECT_DOUBLE_EQ(share(result, 2, 0, 0, 1), 0.5);
  EXPECT_NE(testing::all_notes(result).find("counts as one vote: 1"), std::string::npos);
}

TEST(Elections, PartiesAreThoseOfThePapersTable) {
  EXPECT_EQ(recipes::party_of("Democratic-Nonpartisan League"), Party::democrat);
  EXPECT_EQ(recipes::party_of("LIBERTARIAN"), Party::libertarian);
  for (const char* name : {"", "NA", "CONSERVATIVE", "LIBERTY UNION", "DEMOCRATIC SOCIALIST"})
    EXPECT_EQ(recipes::party_of(name), Party::other) << name;
}

TEST(Elections, MistakesAreNamedWithTheirPlace) {
  Files files;
  files.house += "1976,AL,1,GEN,NA,False,B,REPUBLICAN,many\n";
  expect_error(ErrorKind::bad_file, {"house.csv", "line 3", "candidatevotes", "many"}, [&] { files.read(); });
  files = {};
  files.senate += "1976,ALABAMA,gen,False,B,REPUBLICAN,4\n";
  expect_error(ErrorKind::bad_file, {"SENATE.csv", "line 3", "ALABAMA"}, [&] { files.read(); });
}

TEST(Elections, TheFolderMustHaveOneFilePerOffice) {
  const TemporaryDirectory folder;
  expect_error(ErrorKind::bad_file, {"president", "1976-2020-president.csv"},
               [&] { read_elections(folder.path()); });
  folder.write("president.csv", kPresident);
  expect_error(ErrorKind::bad_file, {"president.csv", "no rows"}, [&] { read_elections(folder.path()); });
  folder.write("president.tab", "");
  expect_error(ErrorKind::bad_file, {"2 tables", "president"}, [&] { read_elections(folder.path()); });
  expect_error(ErrorKind::bad_file, {"is no folder"}, [&] { read_elections(folder.file("president.csv")); });
}

TEST(Elections, TakesNoFlagsForReading) {
  expect_error(ErrorKind::bad_option, {"`label_columns`", "elections"},
               [] { read_with(Recipe::elections, ".", {.label_columns = {"year"}}); });
}

}  // namespace
}  // namespace milcci
