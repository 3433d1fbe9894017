// Standard errors of memberships are what repeated noise makes of them, and members are told by them.
#include "fit/standard_errors.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "fit/members.hpp"
#include "label_graphs/categories.hpp"
#include "milcci/fit.hpp"
#include "support/tolerances.hpp"
#include "util/random.hpp"

namespace milcci {
namespace {

// Two options of one category with one component: the inverse of a 2 x 2 matrix.
TEST(StandardErrors, AreThoseOfTwoTiedRegressions) {
  Trials trials;
  trials.channel_names = {"a", "b"};
  trials.labels = {{"side", LabelColumn::Texts{"left", "right", "right"}}};
  trials.values.assign(3, Matrix::Ones(2, 4));
  const std::vector<CategorySpec> categories{{.name = "side", .n_components = 1}};
  const Design design = make_design(resolve_categories(categories, trials), 3);
  State state;
  state.traces = {Matrix::Constant(4, 1, 1.0), Matrix::Constant(4, 1, 2.0), Matrix::Constant(4, 1, 3.0)};
  const double w = design.ties[0].dense()(0, 1);
  Calibration calibration;
  calibration.noise = 0.25;
  calibration.consistency = {Vector::Constant(1, 10.0)};
  const double e_left = 4.0, e_right = 4.0 * (4.0 + 9.0), tie = 10.0 * w;
  const double determinant = (e_left + tie) * (e_right + tie) - tie * tie;
  const Matrix errors = membership_errors(design, state, calibration, Vector::Constant(1, 2.0))[0];
  const auto option = [&](const char* name) { return design.categories[0].options[0] == name ? 0 : 1; };
  EXPECT_NEAR(errors(0, option("left")), std::sqrt(2.0 * 0.25 * (e_right + tie) / determinant),
              testing::kSolve);
  EXPECT_NEAR(errors(0, option("right")), std::sqrt(2.0 * 0.25 * (e_left + tie) / determinant),
              testing::kSolve);
}

// The likelihood of zeros and members is the same there, times 0.3, by the numbers that made them.
TEST(Members, AreAsFarFromZeroAsTwoGroupsSay) {
  Random random(9, 1);
  std::vector<double> z;
  const Matrix zeros = random.normal(3000, 1), members = 10.0 * random.normal(1000, 1);
  z.insert(z.end(), zeros.data(), zeros.data() + zeros.size());
  z.insert(z.end(), members.data(), members.data() + members.size());
  const double p = 0.75, s = 10.0;
  const double expected = std::sqrt(2.0 * std::log(0.3 * p / (1 - p) * s) / (1.0 - 1.0 / (s * s)));
  EXPECT_NEAR(least_distance(z, 0), expected, 0.1);
  for (double& x : z) x *= 1e3;  // all far from zero: none is left out
  EXPECT_LT(least_distance(z, 0), 100.0);
  EXPECT_EQ(least_distance({}, 5), 0.0);
}

// One component of two hundred channels. Half of them are members, far from zero; of the others most are told
// to be none. In doubt a channel is a member.
TEST(Members, AreToldFromZeros) {
  Random random(5, 1);
  const Index N = 200;
  Vector a = Vector::Zero(N);
  for (Index n = 0; n < N / 2; ++n) a(n) = 1.0 + random.uniform();
  a.normalize();
  Trials trials;
  for (Index n = 0; n < N; ++n) trials.channel_names.push_back(std::to_string(n));
  for (int m = 0; m < 10; ++m) {
    const Matrix phi = 3.0 * random.normal(100, 1);
    trials.values.push_back(a * phi.transpose() + random.normal(N, 100));
  }
  FitOptions options;
  options.categories = {{.name = "all", .n_components = 1, .kind = CategoryKind::fixed}};
  const FitResult found = fit(trials, options);
  const Matrix& memberships = found.model.categories[0].variants[0];
  const auto n_members = [&](Index first, Index count) {
    return (memberships.col(0).segment(first, count).array() != 0).count();
  };
  EXPECT_EQ(n_members(0, N / 2), N / 2);
  EXPECT_LT(n_members(N / 2, N / 2), N / 4);
}

TEST(Noise, IsNoComponent) {
  Random random(6, 1);
  Trials trials;
  for (Index n = 0; n < 30; ++n) trials.channel_names.push_back(std::to_string(n));
  for (int m = 0; m < 20; ++m) trials.values.push_back(random.normal(30, 100));
  FitOptions options;
  options.categories = {{.name = "all", .n_components = 2, .kind = CategoryKind::fixed}};
  for (const NonNegative signs : {NonNegative::none, NonNegative::both}) {
    options.nonnegative = signs;
    const FitResult found = fit(trials, options);
    EXPECT_EQ(found.model.dead_components().size(), 2u);
    ASSERT_FALSE(found.summary.warnings.empty());
    EXPECT_NE(found.summary.warnings[0].find("nothing was found"), std::string::npos);
  }
}

}  // namespace
}  // namespace milcci
