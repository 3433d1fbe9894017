#include "milcci/components.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/shown_name.hpp"
#include "support/expect_error.hpp"
#include "support/temporary_directory.hpp"

namespace milcci {
namespace {

using nlohmann::json;
using testing::expect_error;

// Two components of `side` on four channels. The first gains d and loses a from left to right, the second is
// the same. The first is twice as strong in the trials of right.
FitResult known_result() {
  FitResult result;
  Model& model = result.model;
  model.channel_names = {"a", "b", "c", "d"};
  FittedCategory side;
  side.category.spec = {.name = "side", .n_components = 2};
  side.category.options = {"left", "right"};
  side.category.option_of_trial = {0, 1, 0};
  side.category.graph = LabelGraph::constant(2, 1.0);
  Matrix left(4, 2), right(4, 2);
  left << 0.5, 0, 0.5, 0, 0, 0.5, 0, 0.5;
  right << 0, 0, 0.5, 0, 0, 0.5, 0.5, 0.5;
  side.variants = {left, right};
  model.categories = {side};
  for (const double scale : {1.0, 2.0, 1.0}) {
    Matrix traces = Matrix::Ones(2, 3);
    traces.row(0) *= scale;
    model.traces.push_back(traces);
  }
  result.summary.options.categories = {side.category.spec};
  result.summary.r2 = 0.9;
  result.summary.explained = Vector::Constant(2, 0.5);
  result.summary.stability = Vector::Constant(2, 1.0);
  result.summary.stability(1) = 1.0 / 16;
  result.summary.certainty = {Certainty::firm, Certainty::alternative};
  result.summary.candidates.resize(16);
  return result;
}

TEST(Components, TellWhoJoinsAndWhoLeavesFromOptionToOption) {
  const ComponentView first = view_components(known_result()).front();
  ASSERT_EQ(first.changes.size(), 1u);
  const VariantChange& change = first.changes.front();
  EXPECT_EQ(first.options[change.from], "left");
  ASSERT_EQ(change.members.size(), 2u);
  EXPECT_EQ(change.members[0].name, "a");
  EXPECT_EQ(change.members[0].kind, ChangeKind::lost);
  EXPECT_EQ(change.members[1].name, "d");
  EXPECT_EQ(change.members[1].kind, ChangeKind::gained);
  EXPECT_DOUBLE_EQ(change.similarity, 0.5);
  EXPECT_TRUE(view_components(known_result())[1].changes.front().members.empty());
}

TEST(Components, AreStrongestWhereTheyAddMost) {
  const ComponentView first = view_components(known_result()).front();
  EXPECT_EQ(first.strongest, 1u);
  EXPECT_DOUBLE_EQ(first.strength[1], 2 * first.strength[0]);
  // Two members of 0.5 on four channels, a trace of one.
  EXPECT_DOUBLE_EQ(first.strength[0], std::sqrt(0.5 / 4));
}

TEST(Components, KeepAsManyMembersAsAskedForAndSayWhatIsLeftOut) {
  const ComponentView first = view_components(known_result(), {.n_members = 1}).front();
  EXPECT_EQ(first.members.size(), 1u);
  EXPECT_EQ(first.n_members, 3u);
  EXPECT_DOUBLE_EQ(first.left_out, 0.75);
  EXPECT_NE(to_text({first}).find("and 2 more with 75.0 %"), std::string::npos) << to_text({first});
}

TEST(Components, AreChosenByCategoryAndNumber) {
  EXPECT_EQ(view_components(known_result(), {.category = "side", .component = 1}).front().number, 1);
  expect_error(ErrorKind::bad_option, {"sid", "did you mean 'side'"},
               [] { view_components(known_result(), {.category = "sid"}); });
  expect_error(ErrorKind::bad_option, {"component", "between 1 and 2"},
               [] { view_components(known_result(), {.component = 2}); });
}

TEST(Components, TheTableMarksWhatIsUncertainAndSaysWhatThatMeans) {
  const std::string table = components_table(known_result());
  EXPECT_NE(table.find("side 2     ?!"), std::string::npos) << table;
  EXPECT_NE(table.find("  ? other answers"), std::string::npos);
  EXPECT_NE(table.find("  ! at most one of 16 starts"), std::string::npos);
  EXPECT_NE(table.find("left to right: lost a"), std::string::npos) << table;
  FitResult firm = known_result();
  firm.summary.certainty[1] = Certainty::firm;
  firm.summary.stability(1) = 1;
  EXPECT_EQ(components_table(firm).find('?'), std::string::npos);
}

TEST(Components, TheTableMarksWhatLivesOnOneChannel) {
  FitResult result = known_result();
  EXPECT_EQ(components_table(result).find("  1 it lives"), std::string::npos);
  for (Matrix& variant : result.model.categories[0].variants) {
    variant.col(1).setZero();
    variant(2, 1) = 1;
  }
  EXPECT_TRUE(view_components(result)[1].is_on_one_channel);
  EXPECT_NE(components_table(result).find("  1 it lives on one channel"), std::string::npos);
}

TEST(Components, JsonHasTheSameNumbers) {
  const json told = json::parse(to_json(view_components(known_result())))["components"];
  EXPECT_EQ(told[0]["members"][0]["channel"], "a");
  EXPECT_EQ(told[0]["members"][0]["memberships"], (json{0.5, 0.0}));
  EXPECT_EQ(told[0]["changes"][0]["members"][0]["change"], "lost");
  EXPECT_EQ(told[1]["certainty"], "alternative");
  EXPECT_EQ(told[0]["strongest"], "right");
}

TEST(Components, AModelThatDescribesNothingIsBadNews) {
  FitResult result = known_result();
  EXPECT_EQ(worst_news(result), "");
  result.summary.r2 = 0;
  EXPECT_NE(worst_news(result).find("EXPLAINS NOTHING"), std::string::npos);
  for (Matrix& variant : result.model.categories[0].variants) variant.setZero();
  EXPECT_NE(worst_news(result).find("DEAD"), std::string::npos);
  EXPECT_NE(to_text(view_components(result)).find("dead: it has no member"), std::string::npos);
}

std::vector<std::string> lines_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

TEST(ExportTables, AreTidyAndQuoteWhatNeedsIt) {
  const testing::TemporaryDirectory folder;
  FitResult result = known_result();
  result.model.channel_names[0] = "a, \"the first\"";
  const std::string out = folder.file("tables");
  EXPECT_EQ(export_tables(out, result), export_paths(out));
  const std::vector<std::string> memberships = lines_of(out + "/memberships.csv");
  EXPECT_EQ(memberships.size(), 1u + 2 * 2 * 4);
  EXPECT_EQ(memberships[1], "side,1,left,\"a, \"\"the first\"\"\",,0.5,");
  EXPECT_EQ(lines_of(out + "/traces.csv").size(), 1u + 3 * 2 * 3);
  EXPECT_EQ(lines_of(out + "/trials.csv")[2], "2,2,3,right");
  EXPECT_EQ(lines_of(out + "/components.csv").size(), 3u);
  EXPECT_EQ(lines_of(out + "/fit.csv")[2], "r2," + fmt::format("{}", result.summary.r2));
  expect_error(ErrorKind::bad_file, {"exists"}, [&] { export_tables(out, result); });
  export_tables(out, result, nullptr, Overwrite::yes);
}

TEST(ExportTables, NameEveryColumnOnce) {
  const testing::TemporaryDirectory folder;
  FitResult result = known_result();
  result.model.labels = {{"trial", LabelColumn::Integers{1, 2, 3}},
                         {"name", LabelColumn::Texts{"a", "b", "c"}}};
  export_tables(folder.file("tables"), result);
  const std::string header = lines_of(folder.file("tables") + "/trials.csv")[0];
  EXPECT_EQ(header.substr(0, 43), "trial,name,n_times,label trial,label name,o");
}

TEST(ExportTables, LeaveNoFolderBehindWhenTheyFail) {
  const testing::TemporaryDirectory folder;
  std::ofstream(folder.file("file")) << "x";
  expect_error(ErrorKind::bad_file, {"it is a file"},
               [&] { export_tables(folder.file("file"), known_result()); });
  expect_error(ErrorKind::bad_file, {"cannot be made"},
               [&] { export_tables(folder.file("none/there"), known_result()); });
}

TEST(ShownName, EscapesWhatATerminalWouldObeyAndShortensTheRest) {
  EXPECT_EQ(shown_name("plain \xC3\xA9"), "plain \xC3\xA9");
  EXPECT_EQ(shown_name("a\x1b[31mb\n\t\xff"), "a\\x1b[31mb\\n\\t\\xff");
  EXPECT_EQ(shown_name("\xC2\x9B"
                       "31m"),
            "\\xc2\\x9b31m");  // the C1 form of the same
  EXPECT_EQ(shown_name("\xE2\x80\xAE"
                       "abc"),
            "\\xe2\\x80\\xaeabc");  // right to left
  EXPECT_EQ(shown_name("abcdefghijkl", 9), "abc...jkl");
  EXPECT_EQ(n_characters(shown_name(std::string(1 << 22, 'x') + "y", 21)), 21u);
  EXPECT_EQ(without_escape_codes("a\nb\x1b"), "a\nb\\x1b");
}

}  // namespace
}  // namespace milcci
