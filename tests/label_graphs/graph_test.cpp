#include "label_graphs/graph.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/tolerances.hpp"

namespace milcci {
namespace {

Matrix column(std::initializer_list<double> values) {
  Matrix m(static_cast<Index>(values.size()), 1);
  Index i = 0;
  for (const double v : values) m(i++, 0) = v;
  return m;
}

TEST(LabelGraph, RowsSumToOneAndTheDiagonalIsZero) {
  for (const CategoryKind kind :
       {CategoryKind::categorical, CategoryKind::ordinal, CategoryKind::trial_number})
    for (const Kernel kernel : {Kernel::gaussian, Kernel::exponential, Kernel::inverse, Kernel::nearest}) {
      const CategorySpec spec{.name = "x", .kind = kind, .kernel = kernel};
      const Matrix graph = label_graph(spec, 5, column({1, 2, 3, 5, 8})).dense();
      EXPECT_EQ(graph.diagonal().norm(), 0.0);
      EXPECT_GE(graph.minCoeff(), 0.0);
      EXPECT_LT((graph.rowwise().sum().array() - 1.0).abs().maxCoeff(), testing::kExact);
    }
}

TEST(LabelGraph, TheLastOfACircleIsBesideTheFirst) {
  const Matrix months = column({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  for (const Kernel kernel : {Kernel::gaussian, Kernel::exponential, Kernel::inverse, Kernel::nearest}) {
    const CategorySpec spec{
        .name = "month", .kind = CategoryKind::circular, .kernel = kernel, .neighbours = 2, .period = 12.0};
    const Matrix graph = label_graph(spec, 12, months).dense();
    EXPECT_NEAR(graph(0, 11), graph(0, 1), testing::kExact);
    EXPECT_NEAR(graph(11, 0), graph(5, 6), testing::kExact);
    EXPECT_LT(graph(0, 6), 0.5 * graph(0, 1));
  }
}

TEST(LabelGraph, CategoricalOptionsAreAllEquallyAlike) {
  const Matrix graph = label_graph({.name = "x"}, 4, {}).dense();
  EXPECT_NEAR(graph(0, 1), 1.0 / 3, testing::kExact);
  EXPECT_NEAR(graph(2, 0), 1.0 / 3, testing::kExact);
}

TEST(LabelGraph, GaussianKernelFallsWithDistanceByItsFormula) {
  const CategorySpec spec{.name = "x", .kind = CategoryKind::ordinal, .width = 2.0};
  const Matrix graph = label_graph(spec, 3, column({0, 1, 4})).dense();
  EXPECT_NEAR(graph(0, 2) / graph(0, 1), std::exp(-(16.0 - 1.0) / 8.0), testing::kExact);
}

TEST(LabelGraph, DefaultWidthIsTheMedianGap) {
  EXPECT_DOUBLE_EQ(default_width({}, column({8, 1, 2, 4})), 2.0);  // gaps 1, 2, 4
  Matrix plane(3, 2);
  plane << 0, 0, 3, 4, 3, 5;
  EXPECT_DOUBLE_EQ(default_width({}, plane), 1.0);  // nearest: 5, 1, 1
}

TEST(LabelGraph, DistanceCanBeChosen) {
  Matrix plane(3, 2);
  plane << 0, 0, 1, 1, 2, 0;
  CategorySpec spec{.name = "x", .kind = CategoryKind::ordinal, .width = 1.0};
  spec.distance = Distance::manhattan;
  EXPECT_NEAR(label_graph(spec, 3, plane).dense()(0, 1), 0.5, testing::kExact);  // both at distance 2
  spec.distance = Distance::maximum;
  EXPECT_GT(label_graph(spec, 3, plane).dense()(0, 1), 0.8);  // 1 against 2
}

TEST(LabelGraph, FreeAndFixedHaveNoEdges) {
  EXPECT_EQ(label_graph({.name = "x", .kind = CategoryKind::free}, 3, {}), LabelGraph::constant(3, 0.0));
  EXPECT_EQ(label_graph({.name = "x", .kind = CategoryKind::fixed}, 1, {}), LabelGraph::constant(1, 0.0));
}

TEST(LabelGraph, GivenGraphIsNormalisedAndAnAllZeroRowIsLeftAlone) {
  CategorySpec spec{.name = "x", .kind = CategoryKind::graph};
  spec.graph = (Matrix(3, 3) << 9, 1, 3, 0, 5, 0, 2, 2, 0).finished();
  const Matrix graph = label_graph(spec, 3, {}).dense();
  EXPECT_NEAR(graph(0, 2), 0.75, testing::kExact);
  EXPECT_EQ(graph.row(1).norm(), 0.0);
  EXPECT_TRUE(graph.allFinite());
}

TEST(LabelGraph, ManyTrialNumbersGiveASparseGraph) {
  Matrix values(500, 1);
  for (Index i = 0; i < 500; ++i) values(i, 0) = static_cast<double>(i);
  const LabelGraph graph = label_graph({.name = "x", .kind = CategoryKind::trial_number}, 500, values);
  EXPECT_GT(graph.n_listed(), 500 * 9);
  EXPECT_LT(graph.n_listed(), 500 * 12);
}

TEST(LabelGraph, AlongOneColumnIsTheSameAsPairByPair) {
  const Matrix shuffled = column({5, 1, 1.5, 40, 8, -3, 2, 9, 7.75, 8.5, 4, 0, 6, 3, 1e4});
  Matrix plane = Matrix::Zero(shuffled.rows(), 2);  // two columns are compared pair by pair
  plane.col(0) = shuffled;
  for (const Kernel kernel : {Kernel::gaussian, Kernel::exponential, Kernel::inverse, Kernel::nearest})
    for (const int neighbours : {1, 2, 5, 100}) {
      const CategorySpec spec{.name = "x",
                              .kind = CategoryKind::ordinal,
                              .kernel = kernel,
                              .width = 1.0,
                              .neighbours = neighbours};
      EXPECT_EQ(label_graph(spec, 15, shuffled), label_graph(spec, 15, plane));
    }
}

TEST(KernelWeights, InterpolateBetweenNeighboursAndFallBackToTheNearest) {
  const CategorySpec spec{.name = "x", .kind = CategoryKind::ordinal};
  const Matrix values = column({1, 2, 3});
  const Vector middle = kernel_weights(spec, values, Eigen::RowVectorXd::Constant(1, 1.5));
  EXPECT_NEAR(middle(0), middle(1), testing::kExact);
  EXPECT_GT(middle(1), middle(2));
  const Vector far = kernel_weights(spec, values, Eigen::RowVectorXd::Constant(1, 1e6));
  EXPECT_EQ(far(2), 1.0);
}

}  // namespace
}  // namespace milcci
