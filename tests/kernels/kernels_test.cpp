// Every instruction set of this processor against plain matrix products, for all small shapes: remainders of
// vectors are where such loops go wrong.
#include "kernels/kernels.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "milcci/types.hpp"
#include "support/tolerances.hpp"
#include "util/random.hpp"

namespace milcci {
namespace {

struct Problem {
  Shape shape;
  Matrix Y, A, phi, B;  // phi and B have more rows than time points: columns are a stride apart
  Eigen::MatrixXf Y_float;

  Problem(Index N, Index T, Index P, Index stride) : shape{N, T, P, stride} {
    Random random(static_cast<std::uint64_t>(N * 1000 + T * 10 + P), 0);
    Y = random.normal(N, T);
    Y_float = Y.cast<float>();
    A = random.normal(N, P);
    phi = random.normal(stride, P).cwiseAbs();
    B = random.normal(stride, P);
  }
};

template <class Check>
void for_all_shapes(const Check& check) {
  for (const Kernels* run : available_kernels())
    for (const Index N : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 40, 64, 79})
      for (const Index T : {1, 2, 3, 4, 5, 8, 11, 16, 19})
        for (const Index P : {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 17}) {
          SCOPED_TRACE(::testing::Message() << run->name << " N " << N << " T " << T << " P " << P);
          check(*run, Problem(N, T, P, T + T % 3));
        }
}

// To the rounding of some 128 additions in float, however long the sum.
void expect_product_of_floats(const Eigen::MatrixXf& Y, const Matrix& phi, const Matrix& product) {
  constexpr double kRounding = 131 * 0.5 * std::numeric_limits<float>::epsilon();
  const Matrix data = Y.cast<double>(), exact = data * phi;
  const Matrix room = kRounding * data.cwiseAbs() * phi.cwiseAbs();
  ASSERT_TRUE(((product - exact).cwiseAbs().array() <= room.array()).all());
}

TEST(Kernels, TheFastestIsTheLastOfThoseThatRunHere) {
  ASSERT_FALSE(available_kernels().empty());
  EXPECT_EQ(&kernels(), available_kernels().back());
}

TEST(Kernels, ProjectIsTheProductWithTheLoading) {
  for_all_shapes([](const Kernels& run, Problem p) {
    const Matrix before = p.B;
    const Index T = p.shape.n_times;
    run.project(p.shape, p.Y.data(), p.A.data(), p.B.data());
    ASSERT_LT((p.B.topRows(T) - p.Y.transpose() * p.A).norm(), testing::kSolve);
    ASSERT_EQ(p.B.bottomRows(p.B.rows() - T), before.bottomRows(p.B.rows() - T));
    run.project_float(p.shape, p.Y_float.data(), p.A.data(), p.B.data());
    ASSERT_LT((p.B.topRows(T) - p.Y_float.cast<double>().transpose() * p.A).norm(), testing::kSolve);
  });
}

TEST(Kernels, ProductsHaveNoLimitOfComponents) {
  for (const Kernels* run : available_kernels()) {
    Problem p(11, 9, kMaxComponents + 5, 9);
    run->project(p.shape, p.Y.data(), p.A.data(), p.B.data());
    EXPECT_LT((p.B - p.Y.transpose() * p.A).norm(), testing::kSolve);
    Matrix C = Matrix::Zero(p.A.rows(), p.A.cols());
    run->accumulate(p.shape, p.Y.data(), p.phi.data(), C.data());
    EXPECT_LT((C - p.Y * p.phi).norm(), testing::kSolve);
    C.setZero();
    run->accumulate_float(p.shape, p.Y_float.data(), p.phi.data(), C.data());
    expect_product_of_floats(p.Y_float, p.phi, C);
  }
}

TEST(Kernels, AccumulateAddsTheProductWithTheTraces) {
  for_all_shapes([](const Kernels& run, Problem p) {
    const Matrix start = p.A, phi = p.phi.topRows(p.shape.n_times);
    Matrix C = start;
    run.accumulate(p.shape, p.Y.data(), p.phi.data(), C.data());
    ASSERT_LT((C - start - p.Y * phi).norm(), testing::kSolve);
    C.setZero();
    run.accumulate_float(p.shape, p.Y_float.data(), p.phi.data(), C.data());
    expect_product_of_floats(p.Y_float, phi, C);
  });
}

TEST(Kernels, AccumulatedFloatsAreWholeWhereTheyAreCutIntoParts) {
  for (const Kernels* run : available_kernels())
    for (const Index T : {0, 127, 128, 129, 256, 257})
      for (const Index P : {3, kMaxComponents + 5}) {
        SCOPED_TRACE(::testing::Message() << run->name << " T " << T << " P " << P);
        Problem p(70, T, P, T + 5);
        const Matrix phi = p.phi.topRows(T);
        Matrix C = Matrix::Zero(70, P);
        run->accumulate_float(p.shape, p.Y_float.data(), p.phi.data(), C.data());
        expect_product_of_floats(p.Y_float, phi, C);
        Matrix added = p.A;
        run->accumulate_float(p.shape, p.Y_float.data(), p.phi.data(), added.data());
        ASSERT_LT((added - p.A - C).norm(), testing::kSolve);
      }
}

TEST(Kernels, AccumulatedFloatsDoNotDependOnTheUnitOfTheTraces) {
  for (const Kernels* run : available_kernels())
    for (const double unit : {1e-200, 1e-30, 1e30, 1e200}) {
      SCOPED_TRACE(::testing::Message() << run->name << " unit " << unit);
      Problem p(20, 150, 3, 150);
      p.phi *= unit;
      Matrix C = Matrix::Zero(20, 3);
      run->accumulate_float(p.shape, p.Y_float.data(), p.phi.data(), C.data());
      expect_product_of_floats(p.Y_float, p.phi, C);
    }
}

TEST(Kernels, NothingIsAddedForTracesThatAreZero) {
  for (const Kernels* run : available_kernels()) {
    Problem p(20, 150, 3, 150);
    const Matrix start = p.A;
    run->accumulate_float(p.shape, p.Y_float.data(), Matrix::Zero(150, 3).eval().data(), p.A.data());
    EXPECT_EQ(p.A, start);
  }
}

TEST(Kernels, AccumulatedFloatsDoNotLoseDigitsWithTheLengthOfATrial) {
  for (const Kernels* run : available_kernels()) {
    Problem p(41, 20001, 2, 20001);
    p.Y_float = p.Y_float.cwiseAbs();  // nothing cancels
    Matrix C = Matrix::Zero(41, 2);
    run->accumulate_float(p.shape, p.Y_float.data(), p.phi.data(), C.data());
    expect_product_of_floats(p.Y_float, p.phi, C);
  }
}

TEST(Kernels, CombineAndInnerAreProductsOfTraces) {
  for_all_shapes([](const Kernels& run, Problem p) {
    const Index T = p.shape.n_times, P = p.shape.n_components;
    const Matrix M = p.A.transpose() * p.A, start = Matrix::Ones(P, P);
    Matrix G = start;
    const double product = run.inner(p.shape, p.B.data(), p.phi.data(), G.data());
    ASSERT_NEAR(product, p.B.topRows(T).cwiseProduct(p.phi.topRows(T)).sum(), testing::kSolve);
    ASSERT_LT((G - start - p.phi.topRows(T).transpose() * p.phi.topRows(T)).norm(), testing::kSolve);
    const Matrix below = p.phi.bottomRows(p.phi.rows() - T);
    run.combine(p.shape, p.B.data(), M.data(), p.phi.data());
    ASSERT_LT((p.phi.topRows(T) - p.B.topRows(T) * M).norm(), testing::kSolve * (1 + M.norm()));
    ASSERT_EQ(p.phi.bottomRows(p.phi.rows() - T), below);
  });
}

TEST(Kernels, SubtractProductAndAddWeightedTouchTheirColumnsOnly) {
  for_all_shapes([](const Kernels& run, Problem p) {
    const Index T = p.shape.n_times, P = p.shape.n_components, n_below = p.B.rows() - T;
    const Matrix M = Random(5, 2).normal(P, 3);
    Matrix X = Matrix::Ones(p.B.rows(), 4), expected = X;
    expected.topLeftCorner(T, 3) -= p.B.topRows(T) * M;
    run.subtract_product(p.shape, p.B.data(), M.data(), 3, X.data());
    ASSERT_LT((X - expected).norm(), testing::kSolve);
    const Matrix weights = Random(6, 2).normal(P, 2);
    Matrix sum = p.phi;
    expected = p.phi;
    expected.topRows(T) += p.B.topRows(T) * (weights.col(0) + weights.col(1)).asDiagonal();
    const double* twice[] = {p.B.data(), p.B.data()};
    run.add_weighted(p.shape, p.phi.data(), 2, twice, weights.data(), sum.data());
    ASSERT_LT((sum - expected).norm(), testing::kSolve);
    ASSERT_EQ(sum.bottomRows(n_below), expected.bottomRows(n_below));
  });
}

// Zero (sub)gradient where a coordinate is not zero, and no way down from a zero; dead coordinates are zero.
TEST(Kernels, LassoOfPointsSatisfiesItsKktConditions) {
  for_all_shapes([](const Kernels& run, Problem p) {
    const Index T = p.shape.n_times, P = p.shape.n_components;
    Matrix A = Random(3, 1).normal(3 * P, P);
    if (P > 2) A.col(1).setZero();
    const Matrix H = A.transpose() * A;
    const Vector l1 = Vector::LinSpaced(P, 0.0, 2.0);
    for (const bool is_nonnegative : {false, true}) {
      Matrix x = p.phi;
      const auto solve = is_nonnegative ? run.nonnegative_lasso_points : run.lasso_points;
      solve(p.shape, H.data(), l1.data(), 0.0, {1e-14, 100000}, p.B.data(), x.data());
      const Matrix gradient = x.topRows(T) * H - p.B.topRows(T);
      for (Index t = 0; t < T; ++t)
        for (Index j = 0; j < P; ++j) {
          const double threshold = 0.5 * l1(j);
          if (H(j, j) == 0) {
            ASSERT_EQ(x(t, j), 0.0);
          } else if (x(t, j) != 0) {
            ASSERT_NEAR(gradient(t, j), x(t, j) > 0 ? -threshold : threshold, 1e-8);
          } else {
            ASSERT_GE(gradient(t, j), -threshold - 1e-8);
            if (!is_nonnegative) {
              ASSERT_LE(gradient(t, j), threshold + 1e-8);
            }
          }
        }
      ASSERT_EQ(x.bottomRows(x.rows() - T), p.phi.bottomRows(x.rows() - T));
    }
  });
}

}  // namespace
}  // namespace milcci
