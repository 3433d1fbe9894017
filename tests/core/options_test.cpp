#include "milcci/options.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "milcci/model.hpp"
#include "support/expect_error.hpp"

namespace milcci {
namespace {

using testing::expect_error;

FitOptions options_with(const CategorySpec& spec) {
  FitOptions options;
  options.categories = {spec};
  return options;
}

FitOptions valid_options() {
  return options_with({.name = "choice", .n_components = 2});
}

bool mentions(const std::vector<std::string>& sentences, const std::string& word) {
  for (const std::string& sentence : sentences)
    if (sentence.find(word) != std::string::npos) return true;
  return false;
}

TEST(Options, DefaultsAreValidOnceThereIsACategory) {
  EXPECT_TRUE(violations(valid_options()).empty());
  EXPECT_EQ(violations(FitOptions{}).size(), 1u);
}

TEST(Options, EveryNumberIsRefusedJustOutsideItsRangeAndWhenNotFinite) {
  int n_checked = 0;
  FitOptions options = valid_options();
  visit_fields(options, [&](const Field& field, auto& member) {
    using Member = std::decay_t<decltype(member)>;
    if constexpr (std::is_same_v<Member, double> || std::is_same_v<Member, std::optional<double>>) {
      const Member before = member;
      for (const double bad :
           {field.minimum - 1, field.maximum * 1.01 + 1, std::nan(""), HUGE_VAL, -HUGE_VAL}) {
        member = bad;
        EXPECT_TRUE(mentions(violations(options), std::string("`") + field.name + "`")) << bad;
      }
      member = before;
      ++n_checked;
    } else if constexpr (std::is_same_v<Member, int>) {
      const Member before = member;
      member = static_cast<int>(field.minimum) - 1;
      EXPECT_TRUE(mentions(violations(options), std::string("`") + field.name + "`"));
      member = before;
      ++n_checked;
    } else if constexpr (std::is_enum_v<Member>) {
      const Member before = member;
      member = static_cast<Member>(77);
      EXPECT_TRUE(mentions(violations(options), "77"));
      member = before;
      ++n_checked;
    }
  });
  EXPECT_GE(n_checked, 18);
  EXPECT_TRUE(violations(options).empty());
}

TEST(Options, ASentenceSaysNameValueAndRange) {
  FitOptions options = valid_options();
  options.sparsity = -1;
  EXPECT_EQ(violations(options), std::vector<std::string>{"`sparsity` = -1, must be between 0 and 0.999"});
  options.sparsity = 0;
  options.consistency = std::nan("");
  EXPECT_EQ(violations(options), std::vector<std::string>{"`consistency` = nan, must be finite and >= 0"});
}

TEST(Options, ValidateListsAllViolationsAtOnce) {
  FitOptions options = valid_options();
  options.sparsity = 2;
  options.restarts = 0;
  options.categories.push_back(options.categories.front());
  expect_error(ErrorKind::bad_option,
               {"`sparsity` = 2", "`restarts` = 0", "category 'choice' is given twice"},
               [&] { validate(options); });
}

TEST(Options, BadCategoriesAreRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Matrix square = Matrix::Ones(2, 2);
  Matrix negative(2, 2);
  negative << 1, -1, 0, 1;
  const auto refused = [](const CategorySpec& spec, const std::string& word) {
    EXPECT_TRUE(mentions(violations(options_with(spec)), word)) << word;
  };
  refused({.name = ""}, "has no name");
  refused({.name = "c", .n_components = 0}, "`n_components` = 0");
  refused({.name = "c", .kind = static_cast<CategoryKind>(9)}, "unknown value 9");
  refused({.name = "c", .kind = CategoryKind::ordinal, .bins = -1}, "`bins` = -1");
  refused({.name = "c", .kind = CategoryKind::ordinal, .bins = 1}, "`bins` = 1");
  refused({.name = "c", .bins = 3}, "must be ordinal");
  refused({.name = "c", .kind = CategoryKind::ordinal, .width = 0.0}, "`width` = 0");
  refused({.name = "c", .kind = CategoryKind::ordinal, .width = nan}, "`width` = nan");
  refused({.name = "c", .width = 1.0}, "a width is given");
  refused({.name = "c", .kind = CategoryKind::ordinal, .neighbours = 0}, "`neighbours` = 0");
  refused({.name = "c", .order = {"a", "b"}}, "an order is given");
  refused({.name = "c", .kind = CategoryKind::ordinal, .order = {"a", "a"}}, "twice");
  refused({.name = "c", .columns = {"x", "y"}}, "several need kind ordinal");
  refused({.name = "c", .kind = CategoryKind::ordinal, .columns = {"x", "x"}}, "each once");
  refused({.name = "c", .kind = CategoryKind::fixed, .columns = {"x"}}, "reads no labels");
  refused({.name = "c", .kind = CategoryKind::graph}, "needs `graph`");
  refused({.name = "c", .kind = CategoryKind::graph, .graph = square, .graph_options = {"a"}},
          "must be 1 x 1");
  refused({.name = "c", .kind = CategoryKind::graph, .graph = square, .graph_options = {"a", "a"}}, "twice");
  refused({.name = "c", .kind = CategoryKind::graph, .graph = negative, .graph_options = {"a", "b"}},
          "negative");
  refused({.name = "c", .graph = square, .graph_options = {"a", "b"}}, "a graph is given");
}

TEST(Options, GoodCategoriesOfEveryKindAreAccepted) {
  FitOptions options;
  options.categories = {
      {.name = "a"},
      {.name = "b", .kind = CategoryKind::ordinal, .columns = {"x", "y"}, .bins = 4, .width = 2.0},
      {.name = "c", .kind = CategoryKind::ordinal, .order = {"low", "high"}},
      {.name = "d", .kind = CategoryKind::trial_number, .width = 3.0},
      {.name = "e", .kind = CategoryKind::fixed},
      {.name = "f", .kind = CategoryKind::free},
      {.name = "g", .kind = CategoryKind::graph, .graph = Matrix::Ones(2, 2), .graph_options = {"a", "b"}}};
  EXPECT_TRUE(violations(options).empty());
}

TEST(Options, EnumerationValuesHaveTheirNames) {
  EXPECT_EQ(to_text(NonNegative::both), "both");
  EXPECT_EQ(to_text(TracePrior::lds), "lds");
  EXPECT_EQ(to_text(CategoryKind::trial_number), "trial_number");
  EXPECT_EQ(to_text(CategoryKind::graph), "graph");
  EXPECT_EQ(to_text(Kernel::nearest), "nearest");
  EXPECT_EQ(to_text(Distance::maximum), "maximum");
  EXPECT_EQ(to_text(StopReason::interrupted), "interrupted");
}

}  // namespace
}  // namespace milcci
