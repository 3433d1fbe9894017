// True components are sparse, shift along their category's order, and are alike where they should be.
#include <gtest/gtest.h>

#include <cmath>

#include "milcci/simulate.hpp"

namespace milcci {
namespace {

double correlation(const Vector& a, const Vector& b) {
  const Vector x = a.array() - a.mean(), y = b.array() - b.mean();
  return x.dot(y) / (x.norm() * y.norm());
}

SimulateOptions one_category(CategoryKind kind, int n_options) {
  SimulateOptions options;
  options.categories = {{"category", 2, n_options, kind}};
  options.n_channels = 400;  // many channels, so that correlations are known to about 0.03
  options.n_trials = 60;
  options.min_length = options.max_length = 20;
  return options;
}

CategoryComponents components_of(const SimulateOptions& options) {
  return simulate(options).truth->categories.front();
}

TEST(SimulatedComponents, HaveTheAskedShareOfZerosOverTheirVariants) {
  for (const double share : {0.0, 0.3, 0.6, 0.9}) {
    SimulateOptions options = one_category(CategoryKind::ordinal, 5);
    options.zero_share = share;
    const auto category = components_of(options);
    for (Index j = 0; j < 2; ++j) {
      double n_zero = 0;
      for (const Matrix& variant : category.variants)
        n_zero += static_cast<double>((variant.col(j).array() == 0.0).count());
      EXPECT_DOUBLE_EQ(n_zero / 2000.0, share);
    }
  }
}

TEST(SimulatedComponents, AreZeroOrBetweenAHalfAndOne) {
  for (const Matrix& variant : components_of(one_category(CategoryKind::ordinal, 5)).variants)
    for (Index e = 0; e < variant.size(); ++e) {
      const double membership = variant.data()[e];
      EXPECT_TRUE(membership == 0.0 || (membership >= 0.5 && membership <= 1.0)) << membership;
    }
}

TEST(SimulatedComponents, OfNearOrdinalOptionsAreMoreAlikeThanOfFarOnes) {
  const auto category = components_of(one_category(CategoryKind::ordinal, 5));
  for (Index j = 0; j < 2; ++j) {
    const Vector reference = category.variants[0].col(j);
    double before = 1.0;
    for (std::size_t i = 1; i < 5; ++i) {
      const double now = correlation(reference, category.variants[i].col(j));
      EXPECT_LT(now, before) << "option " << i + 1;
      before = now;
    }
    EXPECT_GT(before, 0.65);
    EXPECT_LT(before, 0.88);
  }
}

TEST(SimulatedComponents, OfCategoricalOptionsAreEquallyAlike) {
  const auto category = components_of(one_category(CategoryKind::categorical, 4));
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t other = 0; other < i; ++other)
      EXPECT_NEAR(correlation(category.variants[i].col(0), category.variants[other].col(0)), 0.77, 0.1);
}

TEST(SimulatedComponents, ShiftTheirSupportBetweenOptions) {
  for (const auto kind : {CategoryKind::ordinal, CategoryKind::categorical}) {
    const auto category = components_of(one_category(kind, 3));
    const auto joined =
        (category.variants.front().col(0).array() == 0.0) != (category.variants.back().col(0).array() == 0.0);
    EXPECT_GT(joined.count(), 10);
    EXPECT_LT(joined.count(), 100);
  }
}

TEST(SimulatedComponents, DriftSlowlyOverTrialNumbers) {
  const auto category = components_of(one_category(CategoryKind::trial_number, 1));
  ASSERT_EQ(category.n_options(), 60u);
  for (std::size_t i = 1; i < 60; ++i)
    EXPECT_GT(correlation(category.variants[i - 1].col(0), category.variants[i].col(0)), 0.97);
  const double ends = correlation(category.variants.front().col(0), category.variants.back().col(0));
  EXPECT_GT(ends, 0.65);
  EXPECT_LT(ends, 0.88);
}

TEST(SimulatedComponents, AreUnrelatedToOneAnother) {
  const auto category = components_of(one_category(CategoryKind::ordinal, 5));
  EXPECT_LT(std::abs(correlation(category.variants[0].col(0), category.variants[0].col(1))), 0.2);
}

TEST(SimulatedComponents, AreUnrelatedBetweenOptionsWhenFreeOrIndependent) {
  SimulateOptions independent = one_category(CategoryKind::ordinal, 3);
  independent.variation = Variation::independent;
  for (const auto& options : {independent, one_category(CategoryKind::free, 3)}) {
    const auto category = components_of(options);
    EXPECT_LT(std::abs(correlation(category.variants[0].col(0), category.variants[1].col(0))), 0.2);
  }
}

TEST(SimulatedComponents, OfBothSignsKeepTheirZerosAndTheirSigns) {
  SimulateOptions options = one_category(CategoryKind::ordinal, 5);
  options.is_signed = true;
  const auto category = components_of(options);
  double n_zero = 0;
  for (const Matrix& variant : category.variants) {
    EXPECT_GT((variant.array() > 0).count(), 100);
    EXPECT_GT((variant.array() < 0).count(), 100);
    EXPECT_GE((variant.array() * category.variants[0].array()).minCoeff(), 0.0)
        << "a channel changed its sign";
    n_zero += static_cast<double>((variant.array() == 0.0).count());
  }
  EXPECT_DOUBLE_EQ(n_zero / 4000.0, 0.6);
}

TEST(SimulatedComponents, AreNeverDead) {
  SimulateOptions options = one_category(CategoryKind::categorical, 6);
  options.n_channels = 2;
  options.zero_share = 0.999;
  for (const Matrix& variant : components_of(options).variants)
    for (Index j = 0; j < 2; ++j) EXPECT_GT(variant.col(j).maxCoeff(), 0.0);
}

}  // namespace
}  // namespace milcci
