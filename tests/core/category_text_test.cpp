#include <gtest/gtest.h>

#include "milcci/labels.hpp"
#include "support/expect_error.hpp"
#include "support/temporary_directory.hpp"

namespace milcci {
namespace {

using testing::expect_error;
using testing::TemporaryDirectory;

TEST(CategoryText, NameAndCountAreEnough) {
  const CategorySpec spec = parse_category("choice=2");
  EXPECT_EQ(spec.name, "choice");
  EXPECT_EQ(spec.n_components, 2);
  EXPECT_EQ(spec.kind, CategoryKind::categorical);
}

TEST(CategoryText, KindsAndKeysAreRead) {
  EXPECT_EQ(parse_category("a=1:free").kind, CategoryKind::free);
  EXPECT_EQ(parse_category("a=1:fixed").kind, CategoryKind::fixed);
  EXPECT_EQ(parse_category("a=1:trial-number").kind, CategoryKind::trial_number);
  EXPECT_EQ(parse_category("a=1:trial_number").kind, CategoryKind::trial_number);

  const CategorySpec spec = parse_category(
      "where=3:ordinal,columns=x+y,bins=6,kernel=nearest,width=2.5,neighbours=4,distance=manhattan");
  EXPECT_EQ(spec.kind, CategoryKind::ordinal);
  EXPECT_EQ(spec.columns, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(spec.bins, 6);
  EXPECT_EQ(spec.kernel, Kernel::nearest);
  EXPECT_EQ(spec.width, 2.5);
  EXPECT_EQ(spec.neighbours, 4);
  EXPECT_EQ(spec.distance, Distance::manhattan);
  EXPECT_EQ(parse_category("a=1:ordinal,order=low+mid+high").order,
            (std::vector<std::string>{"low", "mid", "high"}));
}

TEST(CategoryText, TextOfASpecReadsBackToIt) {
  for (const std::string text :
       {"choice=2", "a=1:free", "a=1:fixed", "a=12:trial-number,kernel=exponential,width=3",
        "where=3:ordinal,columns=x+y,bins=6,kernel=nearest,width=0.1,neighbours=4,distance=manhattan",
        "a=1:ordinal,order=low+mid+high", "a=1:categorical,columns=other",
        R"(a\=b\:c\,d\+e\\f=2:ordinal,columns=p\+q+r,order=x\,y+z)"})
    EXPECT_EQ(to_text(parse_category(text)), text);
}

TEST(CategoryText, EveryNameCanBeWritten) {
  const CategorySpec spec{.name = "a=b:c,d+e\\", .kind = CategoryKind::ordinal, .order = {"+", "="}};
  const CategorySpec back = parse_category(to_text(spec));
  EXPECT_EQ(back.name, spec.name);
  EXPECT_EQ(back.order, spec.order);
}

TEST(CategoryText, MistakesAreQuotedWithARightExample) {
  const auto refused = [](const std::string& text, const std::vector<std::string>& words) {
    expect_error(ErrorKind::bad_option, words, [&] { parse_category(text); });
  };
  refused("", {"NAME=COUNT", "difficulty=2"});
  refused("choice", {"\"choice\"", "NAME=COUNT"});
  refused("=2", {"NAME=COUNT"});
  refused("choice=", {"the count is \"\"", "difficulty=2"});
  refused("choice=two", {"the count is \"two\"", "an integer"});
  refused("choice=2x", {"\"2x\""});
  refused("choice=0", {"the count is 0", ">= 1"});
  refused("choice=-1", {"the count is -1"});
  refused("choice=99999999999", {"99999999999"});
  refused("choice=2:", {"the kind \"\"", "ordinal"});
  refused("choice=2:ordnal", {"\"ordnal\"", "did you mean 'ordinal'"});
  refused("choice=2:graph", {"names no file", "graph=similarity.csv"});
  refused("choice=2:ordinal,bin=3", {"`bin`", "did you mean 'bins'"});
  refused("choice=2:ordinal,bins", {"\"bins\" is not key=value"});
  refused("choice=2:ordinal,bins=many", {"\"many\"", "bins=5"});
  refused("choice=2:ordinal,width=wide", {"\"wide\"", "a number"});
  refused("choice=2:ordinal,kernel=gausian", {"\"gausian\"", "gaussian"});
  refused("choice=2:ordinal,columns=x+", {"\"x+\"", "columns=x+y"});
  refused("choice=2:ordinal,bins=3,bins=4", {"`bins` is given twice"});
  refused("choice=2:categorical,bins=3", {"`bins`", "kind categorical"});
  refused("choice=2:fixed,columns=x", {"`columns`", "kind fixed"});
}

TEST(CategoryText, GraphIsReadFromItsFile) {
  const TemporaryDirectory directory;
  const std::string path =
      directory.write("graph.csv",
                      "\xEF\xBB\xBFregion, V1 ,\"a, \"\"b\"\"\",V4\r\n"
                      "V1,1,0.5,0\r\n\"a, \"\"b\"\"\",5e-1,1,.25\r\nV4,0,0.25,1\r\n\r\n");
  const CategorySpec spec = parse_category("region=2:graph=" + path + ",columns=area");
  EXPECT_EQ(spec.kind, CategoryKind::graph);
  EXPECT_EQ(spec.graph_options, (std::vector<std::string>{"V1", "a, \"b\"", "V4"}));
  Matrix expected(3, 3);
  expected << 1, 0.5, 0, 0.5, 1, 0.25, 0, 0.25, 1;
  EXPECT_EQ(spec.graph, expected);
  EXPECT_EQ(spec.columns, std::vector<std::string>{"area"});
  EXPECT_EQ(to_text(spec), "region=2:graph,columns=area");
}

TEST(CategoryText, BrokenGraphFilesAreRefusedWithTheLine) {
  const TemporaryDirectory directory;
  const auto refused = [&](const std::string& csv, const std::vector<std::string>& words) {
    const std::string path = directory.write("graph.csv", csv);
    expect_error(ErrorKind::bad_option, words, [&] { parse_category("a=1:graph=" + path); });
  };
  refused("", {"the file is empty", "a right file"});
  refused("x\n", {"line 1", "names no options"});
  refused(",a,a\n", {"line 1", "twice"});
  refused(",a,b\na,1,0\n", {"1 rows, must be 2"});
  refused(",a,b\na,1,0\nb,0,1\nc,0,0\n", {"line 4", "more rows"});
  refused(",a,b\na,1\nb,0,1\n", {"line 2", "2 cells, must be 3"});
  refused(",a,b\nb,1,0\na,0,1\n", {"line 2", "\"b\", must be \"a\""});
  refused(",a,b\na,1,-1\nb,0,1\n", {"line 2", "\"a\" and \"b\"", "\"-1\""});
  refused(",a,b\na,1,nan\nb,0,1\n", {"\"nan\""});
  refused(",a,b\na,1,inf\nb,0,1\n", {"\"inf\""});
  refused(",a,b\na,1,\nb,0,1\n", {"\"\""});
  refused(",a,b\na,1,1x\nb,0,1\n", {"\"1x\""});
  expect_error(ErrorKind::bad_file, {"cannot be read", "nothing.csv"},
               [&] { parse_category("a=1:graph=" + directory.file("nothing.csv")); });
  expect_error(ErrorKind::bad_file, {"cannot be read"},
               [&] { parse_category("a=1:graph=" + directory.path()); });
}

}  // namespace
}  // namespace milcci
