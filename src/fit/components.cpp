#include "fit/components.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "util/parallel.hpp"

namespace milcci {
namespace {

double weight_sum(const std::vector<Design::Neighbour>& neighbours) {
  double sum = 0.0;
  for (const Design::Neighbour& other : neighbours) sum += other.weight;
  return sum;
}

// One variant given all else: a lasso per channel with the pull of its neighbours added to G and R.
struct VariantWork {
  Matrix G, R, target;
};
void solve_variant(const CategoryProblem& problem, const std::vector<Design::Neighbour>& neighbours,
                   std::size_t i, const LassoOptions& options, std::vector<Matrix>& variants,
                   VariantWork& work) {
  const Vector pull = weight_sum(neighbours) * problem.gamma2;
  Matrix& R = work.R;
  R = problem.R[i];
  if (!neighbours.empty()) {
    work.target.setZero(R.rows(), R.cols());
    for (const Design::Neighbour& other : neighbours)
      work.target += other.weight * variants[static_cast<std::size_t>(other.option)];
    R += work.target * problem.gamma2.asDiagonal();
  }
  if (problem.G_of_channel[i].empty()) {
    work.G = problem.G[i];
    work.G.diagonal() += pull;
    lasso_rows(work.G, R, problem.l1[i], options, variants[i]);
    return;
  }
  for (Index n = 0; n < R.rows(); ++n) {
    Matrix G = problem.G_of_channel[i][static_cast<std::size_t>(n)];
    G.diagonal() += pull;
    Vector a = variants[i].row(n).transpose();
    lasso_row(G, R.row(n).transpose(), problem.l1[i], options, a);
    variants[i].row(n) = a.transpose();
  }
}

// Strong consistency ties the variants so tightly that one at a time they hardly move. Moving all variants of
// a component together costs nothing in consistency; its best step is a one-dimensional problem per
// membership.
void shift_together(const CategoryProblem& problem, bool is_nonnegative, std::vector<Matrix>& variants) {
  const std::size_t n_options = variants.size();
  const Index p = problem.gamma2.size(), n_channels = variants[0].rows();
  Vector a(static_cast<Index>(n_options)), l1(a.size());
  for (Index n = 0; n < n_channels; ++n)
    for (Index j = 0; j < p; ++j) {
      double quadratic = 0.0, linear = 0.0;
      for (std::size_t i = 0; i < n_options; ++i) {
        const Matrix& G = problem.G_of_channel[i].empty()
                              ? problem.G[i]
                              : problem.G_of_channel[i][static_cast<std::size_t>(n)];
        quadratic += G(j, j);
        linear += variants[i].row(n).dot(G.col(j)) - problem.R[i](n, j);
        a(static_cast<Index>(i)) = variants[i](n, j);
        l1(static_cast<Index>(i)) = problem.l1[i](j);
      }
      if (!(quadratic > 0)) continue;
      const double shift = best_shift(quadratic, linear, a, l1, is_nonnegative);
      for (std::size_t i = 0; i < n_options; ++i) variants[i](n, j) += shift;
    }
}

// Whether the pull of the neighbours is a sizeable part of the options' own evidence.
bool is_tied_tightly(const CategoryProblem& problem,
                     const std::vector<std::vector<Design::Neighbour>>& neighbours) {
  constexpr double kSizeable = 0.1;
  Vector pull = Vector::Zero(problem.gamma2.size()), evidence = pull;
  for (std::size_t i = 0; i < neighbours.size(); ++i) {
    pull += weight_sum(neighbours[i]) * problem.gamma2;
    evidence += problem.G[i].diagonal();
  }
  return (pull.array() > kSizeable * evidence.array()).any();
}

// A channel that was never observed while a trace was active leaves only rounding errors of the subtraction;
// they must not pass for evidence.
void forget_unobserved(const Matrix& G_of_all, Matrix& G,
                       Eigen::Ref<Eigen::RowVectorXd, 0, Eigen::InnerStride<>> r) {
  constexpr double kRounding = 1e-11;
  for (Index j = 0; j < G.rows(); ++j) {
    if (G(j, j) > kRounding * G_of_all(j, j)) continue;
    G.row(j).setZero();
    G.col(j).setZero();
    r(j) = 0.0;
  }
}

// What a label's missing entries would have added to the products of eq. (2).
void take_out_missing(const Design& design, const LabelSums& sums, std::size_t label, const Rows& rows,
                      const Components& components, std::size_t k, CategoryProblem& problem) {
  const Index first = design.first[k], p = design.n_components(k);
  const auto i = static_cast<std::size_t>(design.labels[label][k]);
  problem.G_of_channel[i].resize(static_cast<std::size_t>(rows.count), Matrix::Zero(p, p));
  for (Index n = 0; n < rows.count; ++n) {
    const Matrix& missing = sums.missing[static_cast<std::size_t>(rows.first + n)];
    problem.G_of_channel[i][static_cast<std::size_t>(n)] -= missing.block(first, first, p, p);
    for (std::size_t other = 0; other < design.n_categories(); ++other) {
      if (other == k) continue;
      const Matrix& a = components[other][static_cast<std::size_t>(design.labels[label][other])];
      problem.R[i].row(n) += a.row(n) * missing.block(design.first[other], first, a.cols(), p);
    }
  }
}

double largest_difference(const std::vector<Matrix>& a, const std::vector<Matrix>& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i)
    largest = std::max(largest, (a[i] - b[i]).lpNorm<Eigen::Infinity>());
  return largest;
}

}  // namespace

CategorySums sum_category(const Design& design, const Penalties& penalties, const Statistics& statistics,
                          const Components& reference, std::size_t k) {
  const Index first = design.first[k], p = design.n_components(k), N = statistics.labels[0].C.rows();
  const auto n_options = static_cast<std::size_t>(design.n_options(k));
  CategorySums result;
  result.C.assign(n_options, Matrix::Zero(N, p));
  result.G.assign(n_options, Matrix::Zero(p, p));
  result.cost_of_length.assign(n_options, Vector::Zero(p));
  std::vector<std::map<std::pair<std::size_t, int>, Matrix>> couplings(n_options);
  for (std::size_t l = 0; l < design.labels.size(); ++l) {
    const LabelSums& sums = statistics.labels[l];
    const auto i = static_cast<std::size_t>(design.labels[l][k]);
    result.C[i] += sums.C.middleCols(first, p);
    result.G[i] += sums.G.block(first, first, p, p);
    result.cost_of_length[i] += penalties.gamma3 * sums.prior_energy.segment(first, p) +
                                penalties.ridge * sums.G.diagonal().segment(first, p);
    for (std::size_t other = 0; other < design.n_categories(); ++other) {
      if (other == k) continue;
      Matrix& G = couplings[i][{other, design.labels[l][other]}];
      if (G.size() == 0) G.setZero(design.n_components(other), p);
      G += sums.G.block(design.first[other], first, design.n_components(other), p);
    }
  }
  // Components are scaled to length one and their traces by the same number. The L1 norm is charged at length
  // one, so its pull on the length itself is taken out: -gamma1 ||a||_1 a' a for a of length one.
  for (std::size_t i = 0; i < n_options; ++i) {
    const Matrix& a = reference[k][i];
    const auto gamma1 = penalties.gamma1[k].col(static_cast<Index>(i));
    const Vector pull = 0.5 * gamma1.cwiseProduct(a.cwiseAbs().colwise().sum().transpose());
    result.C[i] += a * pull.asDiagonal();
  }
  result.couplings.resize(n_options);
  for (std::size_t i = 0; i < n_options; ++i)
    for (auto& [who, G] : couplings[i]) result.couplings[i].push_back({who.first, who.second, std::move(G)});
  return result;
}

// C - sum_{k' != k} A^k' G[k', k], without ever forming a residual of the size of the data. With gaps,
// channel n's Gram is the full one less its missing part.
CategoryProblem category_problem(const Design& design, const Penalties& penalties,
                                 const Statistics& statistics, const CategorySums& sums, const Rows& rows,
                                 const Components& components, std::size_t k) {
  const auto n_options = static_cast<std::size_t>(design.n_options(k));
  CategoryProblem problem;
  problem.gamma2 = penalties.gamma2[k];
  problem.G = sums.G;
  problem.G_of_channel.resize(n_options);
  for (std::size_t i = 0; i < n_options; ++i) {
    problem.R.push_back(sums.C[i].middleRows(rows.first, rows.count));
    for (const CategorySums::Coupling& other : sums.couplings[i]) {
      const Matrix& a = components[other.category][static_cast<std::size_t>(other.option)];
      for (Index j = 0; j < problem.R[i].cols(); ++j)  // so narrow that a matrix product would cost more
        for (Index l = 0; l < a.cols(); ++l) problem.R[i].col(j) -= other.G(l, j) * a.col(l);
    }
  }
  for (std::size_t l = 0; l < design.labels.size(); ++l)
    if (!statistics.labels[l].missing.empty())
      take_out_missing(design, statistics.labels[l], l, rows, components, k, problem);
  for (std::size_t i = 0; i < n_options; ++i) {
    for (std::size_t n = 0; n < problem.G_of_channel[i].size(); ++n) {
      Matrix& G = problem.G_of_channel[i][n];
      G += problem.G[i];
      forget_unobserved(problem.G[i], G, problem.R[i].row(static_cast<Index>(n)));
    }
    problem.l1.push_back(penalties.gamma1[k].col(static_cast<Index>(i)));
    // Traces that grow with the component's length cost more smoothness and ridge: (gamma3 S + ridge g)
    // ||a||^2.
    problem.G[i].diagonal() += sums.cost_of_length[i];
    for (Matrix& G : problem.G_of_channel[i]) G.diagonal() += sums.cost_of_length[i];
  }
  return problem;
}

void solve_category(const CategoryProblem& problem,
                    const std::vector<std::vector<Design::Neighbour>>& neighbours,
                    const ComponentOptions& options, std::vector<Matrix>& variants) {
  const bool is_tied =
      std::any_of(neighbours.begin(), neighbours.end(), [](const auto& list) { return !list.empty(); }) &&
      problem.gamma2.maxCoeff() > 0;
  const int rounds = is_tied ? options.max_rounds : 1;
  const bool is_tight = is_tied && is_tied_tightly(problem, neighbours);
  VariantWork work;
  for (int round = 0; round < rounds; ++round) {
    const std::vector<Matrix> before = variants;
    for (std::size_t i = 0; i < variants.size(); ++i)
      solve_variant(problem, neighbours[i], i, options.lasso, variants, work);
    if (is_tight) shift_together(problem, options.lasso.is_nonnegative, variants);
    if (largest_difference(variants, before) <= options.tolerance) break;
  }
}

double category_value(const CategoryProblem& problem,
                      const std::vector<std::vector<Design::Neighbour>>& neighbours,
                      const std::vector<Matrix>& variants) {
  double value = 0.0;
  for (std::size_t i = 0; i < variants.size(); ++i) {
    const Matrix& A = variants[i];
    for (Index n = 0; n < A.rows(); ++n) {
      const Matrix& G = problem.G_of_channel[i].empty()
                            ? problem.G[i]
                            : problem.G_of_channel[i][static_cast<std::size_t>(n)];
      value += A.row(n) * G * A.row(n).transpose();
    }
    value += (A.cwiseAbs() * problem.l1[i]).sum() - 2.0 * A.cwiseProduct(problem.R[i]).sum();
    for (const Design::Neighbour& other : neighbours[i])
      value +=
          0.5 * other.weight *  // every pair is met twice
          ((A - variants[static_cast<std::size_t>(other.option)]).colwise().squaredNorm() * problem.gamma2)
              .value();
  }
  return value;
}

Components update_components(const Design& design, const Penalties& penalties, const Statistics& statistics,
                             const ComponentOptions& options, const Components& current) {
  constexpr Index kRowsPerBlock = 64;
  const Index n_channels = current[0][0].rows(), n_blocks = (n_channels + kRowsPerBlock - 1) / kRowsPerBlock;
  const int rounds = design.n_categories() > 1 ? options.max_rounds : 1;
  Components components = current;
  std::vector<CategorySums> sums(design.n_categories());
  parallel_for(sums.size(), options.threads, [&](std::size_t k, int) {
    sums[k] = sum_category(design, penalties, statistics, current, k);
  });
  parallel_for(static_cast<std::size_t>(n_blocks), options.threads, [&](std::size_t b, int) {
    const Index first = static_cast<Index>(b) * kRowsPerBlock;
    const Rows rows{first, std::min(kRowsPerBlock, n_channels - first)};
    Components block(current.size());
    for (std::size_t k = 0; k < current.size(); ++k)
      for (const Matrix& a : current[k]) block[k].push_back(a.middleRows(rows.first, rows.count));
    for (int round = 0; round < rounds; ++round) {
      double moved = 0.0;
      for (std::size_t k = 0; k < design.n_categories(); ++k) {
        const CategoryProblem problem =
            category_problem(design, penalties, statistics, sums[k], rows, block, k);
        const std::vector<Matrix> before = block[k];
        solve_category(problem, design.neighbours[k], options, block[k]);
        moved = std::max(moved, largest_difference(block[k], before));
      }
      if (moved <= options.tolerance) break;
    }
    for (std::size_t k = 0; k < block.size(); ++k)
      for (std::size_t i = 0; i < block[k].size(); ++i)
        components[k][i].middleRows(rows.first, rows.count) = block[k][i];
  });
  return components;
}

}  // namespace milcci
