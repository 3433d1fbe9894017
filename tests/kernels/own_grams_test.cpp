// Kernels for points with a Gram matrix of their own, on every instruction set, against plain matrix algebra.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "kernels/kernels.hpp"
#include "milcci/types.hpp"
#include "support/tolerances.hpp"
#include "util/random.hpp"

namespace milcci {
namespace {

Matrix unpacked(const double* numbers, Index step, Index P) {
  Matrix M(P, P);
  for (Index j = 0; j < P; ++j)
    for (Index l = 0; l < P; ++l) M(j, l) = numbers[packed_index(j, l) * step];
  return M;
}

// T points with H_t, b_t and x_t; columns of B and X are a stride apart, those of H are padded.
struct Points {
  Index T, P;
  Shape shape;
  Matrix H, B, X;

  Points(Index n_points, Index n_components) : T(n_points), P(n_components), shape{0, T, P, T + T % 3} {
    Random random(static_cast<std::uint64_t>(100 * T + P), 3);
    H.setZero(padded(T), packed_size(P));
    for (Index t = 0; t < T; ++t) {
      const Matrix A = random.normal(P + 3, P), gram = A.transpose() * A;
      for (Index j = 0; j < P; ++j)
        for (Index l = 0; l <= j; ++l) H(t, packed_index(j, l)) = gram(j, l);
    }
    B = random.normal(shape.stride, P);
    X = random.normal(shape.stride, P).cwiseAbs();
  }
  Matrix gram(Index t) const { return unpacked(H.data() + t, H.rows(), P); }
};

template <class Check>
void for_all_points(const Check& check) {
  for (const Kernels* run : available_kernels())
    for (const Index T : {1, 2, 3, 4, 5, 8, 11, 16, 19})
      for (const Index P : {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 17}) {
        SCOPED_TRACE(::testing::Message() << run->name << " T " << T << " P " << P);
        check(*run, Points(T, P));
      }
}

TEST(OwnGrams, SumTheirChoiceOfEveryFourChannels) {
  for (const Kernels* run : available_kernels())
    for (const Index N : {1, 3, 4, 5, 8, 30})
      for (const Index T : {1, 5, 8, 19})
        for (const Index P : {1, 2, 3, 4, 8, 9}) {
          SCOPED_TRACE(::testing::Message() << run->name << " N " << N << " T " << T << " P " << P);
          Random random(static_cast<std::uint64_t>(N * 1000 + T * 10 + P), 1);
          const Index n_fours = (N + 3) / 4;
          const Matrix table = random.normal(padded(packed_size(P)), 16 * n_fours);
          std::vector<unsigned char> choice;
          for (Index e = 0; e < n_fours * T; ++e)
            choice.push_back(static_cast<unsigned char>(random.below(16)));
          Matrix H(padded(T), packed_size(P));
          run->sum_grams({N, T, P, padded(T)}, choice.data(), table.data(), H.data());
          for (Index t = 0; t < T; ++t) {
            Vector sum = Vector::Zero(packed_size(P));
            for (Index g = 0; g < n_fours; ++g)
              sum += table.col(16 * g + choice[static_cast<std::size_t>(t * n_fours + g)]).head(sum.size());
            ASSERT_LT((H.row(t).transpose() - sum).norm(), testing::kExact * (1 + sum.norm()));
          }
        }
}

TEST(OwnGrams, OfChannelsAreSumsOverTheTimePointsTheyChoose) {
  for (const Kernels* run : available_kernels())
    for (const Index N : {1, 3, 8, 30})
      for (const Index T : {1, 2, 4, 7, 19})
        for (const Index P : {1, 2, 3, 4, 8, 9, 17}) {
          SCOPED_TRACE(::testing::Message() << run->name << " N " << N << " T " << T << " P " << P);
          Random random(static_cast<std::uint64_t>(N * 1000 + T * 10 + P), 2);
          const Matrix phi = random.normal(T + 2, P);
          Matrix S = random.normal(padded(packed_size(P)), N);
          const Matrix start = S;
          std::vector<unsigned char> choice(static_cast<std::size_t>((T + 3) / 4 * N), 0);
          for (Index t = 0; t < T; ++t)
            for (Index n = 0; n < N; ++n)
              if (random.uniform() < 0.4)
                choice[static_cast<std::size_t>(t / 4 * N + n)] |= static_cast<unsigned char>(1 << t % 4);
          run->accumulate_grams({N, T, P, T + 2}, choice.data(), phi.data(), S.data());
          for (Index n = 0; n < N; ++n) {
            Matrix sum = Matrix::Zero(P, P);
            for (Index t = 0; t < T; ++t)
              if (choice[static_cast<std::size_t>(t / 4 * N + n)] >> t % 4 & 1)
                sum += phi.row(t).transpose() * phi.row(t);
            const Vector difference = S.col(n) - start.col(n);
            ASSERT_LT((unpacked(difference.data(), 1, P) - sum).norm(), testing::kExact * (1 + sum.norm()));
          }
        }
}

TEST(OwnGrams, ASweepMovesOneCoordinateAfterTheOther) {
  for_all_points([](const Kernels& run, Points p) {
    Vector weights = Vector::LinSpaced(p.P, 1.0, 2.0);
    if (p.P > 2) weights(1) = 0.0;               // dead
    p.H(0, packed_index(p.P - 1, p.P - 1)) = 0;  // nothing is known of it
    Matrix expected = p.X;
    double moved = 0, length = 0;
    for (Index t = 0; t < p.T; ++t) {
      const Matrix H = p.gram(t);
      for (Index j = 0; j < p.P; ++j) {
        const double before = expected(t, j);
        expected(t, j) = 0.0;
        const double pull = p.B(t, j) - H.row(j).dot(expected.row(t));
        if (weights(j) > 0 && H(j, j) > 0) expected(t, j) = std::max(0.0, pull / H(j, j));
        moved += weights(j) * std::pow(expected(t, j) - before, 2);
        length += weights(j) * std::pow(expected(t, j), 2);
      }
    }
    const Movement found =
        run.nonnegative_sweep(p.shape, p.H.data(), p.H.rows(), weights.data(), p.B.data(), p.X.data());
    ASSERT_LT((p.X - expected).norm(), testing::kSolve);
    ASSERT_NEAR(found.moved, moved, testing::kSolve * (1 + moved));
    ASSERT_NEAR(found.length, length, testing::kSolve * (1 + length));
  });
}

TEST(OwnGrams, SolvesHaveNoResidualAndLeaveSingularPointsOpen) {
  for_all_points([](const Kernels& run, Points p) {
    const Index singular = p.T / 2;
    for (Index j = 0; j < p.P; ++j) p.H(singular, packed_index(p.P - 1, j)) = 0.0;
    const Matrix before = p.X;
    std::vector<unsigned char> is_open(static_cast<std::size_t>(p.T));
    EXPECT_EQ(run.solve_own(p.shape, p.H.data(), p.H.rows(), 1e-8, p.B.data(), p.X.data(), is_open.data()),
              1);
    for (Index t = 0; t < p.T; ++t) {
      ASSERT_EQ(is_open[static_cast<std::size_t>(t)], t == singular);
      if (t == singular) continue;
      const Vector b = p.B.row(t).transpose(), x = p.gram(t).ldlt().solve(b);
      ASSERT_LT((p.X.row(t).transpose() - x).norm(), testing::kSolve * x.norm());
    }
    ASSERT_EQ(p.X.bottomRows(p.X.rows() - p.T), before.bottomRows(p.X.rows() - p.T));
  });
}

TEST(OwnGrams, SmoothSolvesHaveNoResidual) {
  for_all_points([](const Kernels& run, Points p) {
    constexpr double kFloor = 0.01;
    const Vector pull = Vector::LinSpaced(p.T, 0.5, 3.0);
    std::vector<double> work(static_cast<std::size_t>(p.T * p.P * p.P));
    ASSERT_TRUE(run.smooth_own(p.shape, p.H.data(), p.H.rows(), kFloor, pull.data(), p.B.data(), p.X.data(),
                               work.data()));
    for (Index t = 0; t < p.T; ++t) {
      Vector residual =
          p.gram(t) * p.X.row(t).transpose() + kFloor * p.X.row(t).transpose() - p.B.row(t).transpose();
      if (t > 0) residual += pull(t - 1) * (p.X.row(t) - p.X.row(t - 1)).transpose();
      if (t + 1 < p.T) residual += pull(t) * (p.X.row(t) - p.X.row(t + 1)).transpose();
      ASSERT_LT(residual.norm(), testing::kSolve);
    }
    p.H.setConstant(-1.0);
    EXPECT_FALSE(run.smooth_own(p.shape, p.H.data(), p.H.rows(), 0.0, Vector::Zero(p.T).eval().data(),
                                p.B.data(), p.X.data(), work.data()));
  });
}

TEST(OwnGrams, QuadraticFormIsTheSumOverPoints) {
  for_all_points([](const Kernels& run, const Points& p) {
    double sum = 0;
    for (Index t = 0; t < p.T; ++t) sum += p.X.row(t) * p.gram(t) * p.X.row(t).transpose();
    ASSERT_NEAR(run.quadratic_form(p.shape, p.H.data(), p.H.rows(), p.X.data()), sum,
                testing::kSolve * (1 + sum));
  });
}

TEST(OwnGrams, LassosSatisfyTheirKktConditions) {
  for_all_points([](const Kernels& run, const Points& start) {
    const Vector l1 = Vector::LinSpaced(start.P, 0.1, 1.0), extra = Vector::LinSpaced(start.P, 0.2, 0.4);
    for (const bool is_nonnegative : {false, true}) {
      Points p = start;
      const auto solve = is_nonnegative ? run.nonnegative_lasso_own : run.lasso_own;
      solve(p.shape, p.H.data(), p.H.rows(), extra.data(), l1.data(), {1e-13, 100000}, p.B.data(),
            p.X.data());
      for (Index t = 0; t < p.T; ++t) {
        const Matrix H = p.gram(t) + Matrix(extra.asDiagonal());
        const Vector x = p.X.row(t).transpose(), pull = p.B.row(t).transpose() - H * x;
        for (Index j = 0; j < p.P; ++j) {
          if (x(j) != 0) {
            ASSERT_NEAR(pull(j), x(j) > 0 ? 0.5 * l1(j) : -0.5 * l1(j), testing::kSolve);
          } else {
            ASSERT_LE(is_nonnegative ? pull(j) : std::abs(pull(j)), 0.5 * l1(j) + testing::kSolve);
          }
          ASSERT_TRUE(!is_nonnegative || x(j) >= 0.0);
        }
      }
    }
  });
}

TEST(OwnGrams, MissingValuesAreClearedAndOthersCopied) {
  for (const Kernels* run : available_kernels())
    for (const Index n : {1, 3, 8, 21}) {
      Random random(static_cast<std::uint64_t>(n), 5);
      Vector from = random.normal(n, 1), to(n);
      for (Index i = 0; i < n; i += 3) from(i) = std::numeric_limits<double>::quiet_NaN();
      const Eigen::VectorXf floats = from.cast<float>();
      run->clear_missing(n, from.data(), to.data());
      for (Index i = 0; i < n; ++i) EXPECT_EQ(to(i), i % 3 == 0 ? 0.0 : from(i));
      run->clear_missing_float(n, floats.data(), to.data());
      for (Index i = 0; i < n; ++i) EXPECT_EQ(to(i), i % 3 == 0 ? 0.0 : static_cast<double>(floats(i)));
    }
}

}  // namespace
}  // namespace milcci
