// A start given by the user: what it is matched by, what is made of it, what is refused.
#include "start/given_start.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/expect_error.hpp"
#include "support/loop_problem.hpp"
#include "support/tolerances.hpp"

namespace milcci {
namespace {

using testing::expect_error;

// level (three options) and side (two), one component each: no shape tells one from the other.
struct GivenStart {
  FitOptions options = testing::two_categories();
  Design design;
  Start start;
  std::vector<std::string> warnings;

  GivenStart() {
    options.categories[0].n_components = 1;
    const Trials trials = testing::random_trials({});
    design = make_design(resolve_categories(options.categories, trials), trials.n_trials());
    const Components components = testing::random_components(design, 9, false, 5);
    for (std::size_t k = 0; k < design.n_categories(); ++k)
      start.push_back({design.categories[k].spec.name, design.categories[k].options, components[k]});
  }
  Components components() { return components_from(start, design, 9, options, warnings); }
};

void expect_close(const Components& a, const Components& b) {
  for (std::size_t k = 0; k < a.size(); ++k)
    for (std::size_t i = 0; i < a[k].size(); ++i) EXPECT_LT((a[k][i] - b[k][i]).norm(), testing::kExact);
}

TEST(GivenStart, IsMatchedByTheNamesOfCategoriesNotByTheirOrder) {
  GivenStart given;
  const Components in_order = given.components();
  std::reverse(given.start.begin(), given.start.end());
  expect_close(given.components(), in_order);
  expect_close(in_order, {given.start[1].variants, given.start[0].variants});
  EXPECT_TRUE(given.warnings.empty());
}

TEST(GivenStart, IsMatchedByTheNamesOfOptionsNotByTheirOrder) {
  GivenStart given;
  const Components in_order = given.components();
  for (CategoryComponents& category : given.start) {
    std::reverse(category.options.begin(), category.options.end());
    std::reverse(category.variants.begin(), category.variants.end());
  }
  expect_close(given.components(), in_order);
  EXPECT_TRUE(given.warnings.empty());
}

TEST(GivenStart, IsBroughtToLengthOneAndToTheSignsAskedFor) {
  GivenStart given;
  given.options.nonnegative = NonNegative::components;
  given.start[1].variants[0] *= 7.0;
  given.start[1].variants[1].setZero();
  const Components components = given.components();
  const Matrix positive = given.start[1].variants[0].cwiseMax(0.0);
  EXPECT_LT((components[1][0] - positive / positive.norm()).norm(), testing::kExact);
  EXPECT_TRUE(components[1][1].isZero(0.0));  // dead, not divided by zero
}

TEST(GivenStart, LendsTheMeanVariantToAnOptionItLacks) {
  GivenStart given;
  given.start[0].options.pop_back();
  given.start[0].variants.pop_back();
  const Components components = given.components();
  Matrix mean = given.start[0].variants[0] + given.start[0].variants[1];
  mean /= mean.norm();
  EXPECT_LT((components[0][2] - mean).norm(), testing::kExact);
  ASSERT_EQ(given.warnings.size(), 1u);
  EXPECT_NE(given.warnings[0].find("'level'"), std::string::npos);
  EXPECT_NE(given.warnings[0].find("'3'"), std::string::npos);
}

TEST(GivenStart, IsRefusedWithoutACategoryOfTheFit) {
  GivenStart given;
  given.start[1].name = "choice";
  expect_error(ErrorKind::bad_input, {"no components", "'side'"}, [&] { given.components(); });
  given.start[1] = {"side", {}, {}};
  expect_error(ErrorKind::bad_input, {"no components", "'side'"}, [&] { given.components(); });
}

TEST(GivenStart, IsRefusedWithAnotherNumberOfComponentsOrChannels) {
  GivenStart given;
  given.options.categories[1].n_components = given.design.categories[1].spec.n_components = 2;
  expect_error(ErrorKind::bad_input, {"'side'", "1 components", "asks for 2"}, [&] { given.components(); });
  GivenStart narrow;
  for (Matrix& variant : narrow.start[0].variants) variant = variant.topRows(4).eval();
  expect_error(ErrorKind::bad_input, {"'level'", "4 channels", "9"}, [&] { narrow.components(); });
}

}  // namespace
}  // namespace milcci
