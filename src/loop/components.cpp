#include "loop/components.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/kernels.hpp"
#include "util/parallel.hpp"

namespace milcci {
namespace {

// One variant given all else: a lasso per channel with the pull of its neighbours added to G and R. Returns
// the largest movement.
struct VariantWork {
  Matrix G, R, before;
  Matrix sum;  ///< of all variants as they are now, where options are tied alike
  std::vector<const double*> related;
};

// What pulls on option i, and with which weights.
const double* find_related(const Pulls& pulls, Index i, const Matrix& variants, VariantWork& work) {
  const Index p = pulls.own.rows();
  work.related.clear();
  if (!pulls.of_sum.empty()) {
    work.related = {work.sum.data(), variants.col(i * p).data()};
    return pulls.of_sum.data();
  }
  if (pulls.first.empty()) return nullptr;
  const auto option = static_cast<std::size_t>(i);
  const std::size_t first = pulls.first[option], last = pulls.first[option + 1];
  for (std::size_t n = first; n < last; ++n) work.related.push_back(variants.col(pulls.option[n] * p).data());
  return pulls.weight.data() + first * static_cast<std::size_t>(p);
}

// The coordinate steps of `lasso_rows`, one channel after the other, of its members alone.
void solve_members(const CategoryProblem& problem, const Pulls& pulls, Index i, const LassoOptions& options,
                   const Matrix& R, Eigen::Ref<Matrix> variant) {
  std::vector<Index> members;
  for (Index n = 0; n < variant.rows(); ++n) {
    members.clear();
    for (Index j = 0; j < variant.cols(); ++j)
      if (variant(n, j) != 0.0) members.push_back(j);
    for (int sweep = 0; sweep < options.max_sweeps && !members.empty(); ++sweep) {
      double moved = 0.0, length = 0.0;
      for (const Index j : members) {
        double rest = R(n, j);
        for (const Index l : members)
          if (l != j) rest -= problem.gram(i, n, j, l) * variant(n, l);
        const double evidence = problem.gram(i, n, j, j) + pulls.own(j, i);
        double best = 0.0;
        if (evidence > 0) {
          const double size = std::max(0.0, std::abs(rest) - 0.5 * problem.l1(j, i)) / evidence;
          best = rest > 0 ? size : options.is_nonnegative ? 0.0 : -size;
        }
        moved = std::max(moved, std::abs(best - variant(n, j)));
        length = std::max(length, std::abs(best));
        variant(n, j) = best;
      }
      if (members.size() == 1 || moved <= options.tolerance * length) break;
    }
  }
}

double solve_variant(const CategoryProblem& problem, const Pulls& pulls, Index i,
                     const ComponentOptions& options, Matrix& variants, VariantWork& work) {
  const Index p = problem.n_components();
  const auto option = static_cast<std::size_t>(i);
  auto variant = variants.middleCols(i * p, p);
  work.before = variant;
  const double* weights = find_related(pulls, i, variants, work);
  Matrix& R = work.R;
  R.resize(variants.rows(), p);
  kernels().add_weighted(shape_of_columns(variants.rows(), p), problem.R.col(i * p).data(),
                         std::ssize(work.related), work.related.data(), weights, R.data());
  const Matrix& G_of_channel = problem.G_of_channel[option];
  if (options.keeps_members) {
    solve_members(problem, pulls, i, options.lasso, R, variant);
  } else if (G_of_channel.size() > 0) {
    lasso_rows_of_own(G_of_channel, pulls.own.col(i), R, problem.l1.col(i), options.lasso, variant);
  } else {
    work.G = problem.G.middleCols(i * p, p);
    work.G.diagonal() += pulls.own.col(i);
    lasso_rows(work.G, R, problem.l1.col(i), options.lasso, variant);
  }
  if (!pulls.of_sum.empty()) work.sum += variant - work.before;
  return (variant - work.before).lpNorm<Eigen::Infinity>();
}

// The sum of all options' variants, made again in every sweep so that rounding errors do not add
// up.
void sum_variants(const Matrix& variants, Index p, Matrix& sum) {
  sum.setZero(variants.rows(), p);
  for (Index first = 0; first < variants.cols(); first += p) sum += variants.middleCols(first, p);
}

// Strong consistency ties the variants so tightly that they hardly move one at a time. Moving all
// variants of a component together costs nothing in consistency; its best step is a one-dimensional
// problem per membership. Returns the largest movement.
double shift_together(const CategoryProblem& problem, const ComponentOptions& options, Matrix& variants) {
  const Index p = problem.n_components(), n_options = problem.n_options();
  double largest = 0.0;
  Vector a(n_options), l1(n_options);
  for (Index n = 0; n < variants.rows(); ++n)
    for (Index j = 0; j < p; ++j) {
      double quadratic = 0.0, linear = 0.0;
      bool may_move = true;
      for (Index i = 0; i < n_options; ++i) {
        may_move = may_move && !(options.keeps_members && variants(n, i * p + j) == 0.0);
        quadratic += problem.gram(i, n, j, j);
        for (Index l = 0; l < p; ++l) linear += variants(n, i * p + l) * problem.gram(i, n, l, j);
        linear -= problem.R(n, i * p + j);
        a(i) = variants(n, i * p + j);
        l1(i) = problem.l1(j, i);
      }
      if (!may_move || !(quadratic > 0)) continue;
      const double shift = best_shift(quadratic, linear, a, l1, options.lasso.is_nonnegative);
      for (Index i = 0; i < n_options; ++i) variants(n, i * p + j) += shift;
      largest = std::max(largest, std::abs(shift));
    }
  return largest;
}

// Whether the pull of the neighbours is a sizeable part of the options' own evidence.
bool is_tied_tightly(const CategoryProblem& problem, const Pulls& pulls) {
  constexpr double kSizeable = 0.1;
  const Index p = problem.n_components();
  Vector pull = Vector::Zero(p), evidence = pull;
  for (Index i = 0; i < problem.n_options(); ++i) {
    pull += pulls.own.col(i);
    evidence += problem.G.middleCols(i * p, p).diagonal();
  }
  return (pull.array() > kSizeable * evidence.array()).any();
}

// Channel n's Gram matrix is the full one less its missing part, apart from the weight of missing
// entries. A channel that was never observed while a trace was active leaves only rounding errors
// of the subtraction, which must not pass for evidence.
void take_out_missing(const Design& design, const Statistics& statistics, double weight, const Rows& rows,
                      std::size_t k, CategoryProblem& problem) {
  constexpr double kRounding = 1e-11;
  const Index first = design.first[k], p = design.n_components(k);
  for (std::size_t l = 0; l < design.labels.size(); ++l) {
    const Matrix& missing = statistics.labels[l].missing;
    if (missing.size() == 0) continue;
    const Index i = design.labels[l][k];
    Matrix& G = problem.G_of_channel[static_cast<std::size_t>(i)];
    if (G.size() == 0) {
      G.setZero(padded(rows.count), packed_size(p));
      for (Index j = 0; j < p; ++j)
        for (Index other = 0; other <= j; ++other)
          G.col(packed_index(j, other)).head(rows.count).setConstant(problem.G(j, i * p + other));
    }
    for (Index j = 0; j < p; ++j)
      for (Index other = 0; other <= j; ++other)
        G.col(packed_index(j, other)).head(rows.count) -=
            (1.0 - weight) *
            missing.row(packed_index(first + j, first + other)).segment(rows.first, rows.count).transpose();
  }
  for (Index i = 0; i < problem.n_options(); ++i) {
    Matrix& G = problem.G_of_channel[static_cast<std::size_t>(i)];
    if (G.size() == 0) continue;
    for (Index j = 0; j < p; ++j)
      for (Index n = 0; n < rows.count; ++n) {
        if (G(n, packed_index(j, j)) > kRounding * problem.G(j, i * p + j)) continue;
        for (Index other = 0; other < p; ++other) G(n, packed_index(j, other)) = 0.0;
        problem.unknown.push_back({n, i * p + j});
      }
  }
}

// What a category's R was charged in excess for the missing entries of the trials that an option
// shares with an option of another category: per channel p_other x p.
std::vector<Matrix> missing_couplings(const Design& design, const Statistics& statistics, double weight,
                                      const Rows& rows, std::size_t k) {
  const Index first = design.first[k], p = design.n_components(k);
  std::vector<Matrix> result;
  for (const Design::Coupling& coupling : design.couplings[k]) {
    const Index p_other = design.n_components(coupling.category),
                first_other = design.first[coupling.category];
    Matrix& sum = result.emplace_back();
    for (const std::size_t l : coupling.labels) {
      const Matrix& missing = statistics.labels[l].missing;
      if (missing.size() == 0) continue;
      if (sum.size() == 0) sum.setZero(rows.count, p_other * p);
      for (Index j = 0; j < p; ++j)
        for (Index other = 0; other < p_other; ++other)
          sum.col(j * p_other + other) +=
              (1.0 - weight) * missing.row(packed_index(first_other + other, first + j))
                                   .segment(rows.first, rows.count)
                                   .transpose();
    }
  }
  return result;
}

// Few enough channels that all their update touches stays in the cache, many enough to fill
// vectors.
Index rows_per_block(const Design& design) {
  constexpr Index kMost = 64, kFewest = 8, kValues = 48 * 1024;
  Index n_columns = 0;
  for (std::size_t k = 0; k < design.n_categories(); ++k)
    n_columns += design.n_options(k) * design.n_components(k);
  return std::clamp(kValues / n_columns / kFewest * kFewest, kFewest, kMost);
}

// Pieces of many matrices: no processor predicts which.
constexpr std::size_t kLabelsAhead = 4;
void ask_for(const Eigen::Ref<const Matrix>& piece) {
  constexpr Index kLine = 64 / sizeof(double);
  for (Index j = 0; j < piece.cols(); ++j)
    for (Index n = 0; n < piece.rows(); n += kLine) __builtin_prefetch(piece.col(j).data() + n);
}

}  // namespace

double CategoryProblem::gram(Index option, Index channel, Index j, Index l) const {
  const Matrix& of_channel = G_of_channel[static_cast<std::size_t>(option)];
  if (of_channel.size() > 0) return of_channel(channel, packed_index(j, l));
  return G(j, option * n_components() + l);
}

Matrix side_by_side(const std::vector<Matrix>& variants, const Rows& rows) {
  const Index p = variants[0].cols();
  Matrix result(rows.count, static_cast<Index>(variants.size()) * p);
  for (std::size_t i = 0; i < variants.size(); ++i)
    result.middleCols(static_cast<Index>(i) * p, p) = variants[i].middleRows(rows.first, rows.count);
  return result;
}

std::vector<Matrix> pulls_of_length(const Penalties& penalties, const std::vector<CategorySums>& sums,
                                    const PenaltyValues& penalty_values) {
  constexpr double kMostOfEvidence = 0.25;
  std::vector<Matrix> pull;
  for (std::size_t k = 0; k < sums.size(); ++k) {
    const Index p = penalty_values.l1[k].rows(), n_options = penalty_values.l1[k].cols();
    pull.push_back(0.5 * penalties.gamma1[k].cwiseProduct(penalty_values.l1[k]));
    for (Index i = 0; i < n_options; ++i) {
      const auto evidence = sums[k].G.middleCols(i * p, p).diagonal();
      pull[k].col(i) += (0.5 * penalties.gamma2[k].cwiseProduct(penalty_values.distances[k].col(i)))
                            .cwiseMin(kMostOfEvidence * evidence);
    }
    pull[k] += sums[k].uncertainty_of_length;
  }
  return pull;
}

Pulls pulls_of_neighbours(const Vector& gamma2, const LabelGraph& ties) {
  Pulls pulls;
  pulls.own.resize(gamma2.size(), ties.n_options());
  for (int i = 0; i < ties.n_options(); ++i) pulls.own.col(i) = ties.sum(i) * gamma2;
  if (ties.is_constant()) {
    if (!(ties.weight() > 0)) return pulls;
    for (const double sign : {1.0, -1.0})
      for (const double gamma : gamma2) pulls.of_sum.push_back(sign * ties.weight() * gamma);
    return pulls;
  }
  pulls.first.push_back(0);
  for (int i = 0; i < ties.n_options(); ++i) {
    for (const LabelGraph::Neighbour& other : ties.neighbours(i)) {
      pulls.option.push_back(other.option);
      for (const double gamma : gamma2) pulls.weight.push_back(other.weight * gamma);
    }
    pulls.first.push_back(pulls.option.size());
  }
  return pulls;
}

CategorySums sum_category(const Design& design, const Penalties& penalties, const Statistics& statistics,
                          std::size_t k) {
  const Index first = design.first[k], p = design.n_components(k), n_options = design.n_options(k);
  CategorySums result;
  result.G.setZero(p, p * n_options);
  result.cost_of_length.setZero(p, n_options);
  result.uncertainty_of_length.setZero(p, n_options);
  result.pulls = pulls_of_neighbours(penalties.gamma2[k], design.ties[k]);
  for (std::size_t l = 0; l < design.labels.size(); ++l) {
    const LabelSums& sums = statistics.labels[l];
    const Index i = design.labels[l][k];
    result.G.middleCols(i * p, p) += sums.G.block(first, first, p, p);
    for (Index j = 0; j < p; ++j)
      result.cost_of_length(j, i) += penalties.gamma3(first + j) * sums.prior_energy(first + j) +
                                     penalties.ridge(first + j) * sums.G(first + j, first + j);
    if (penalties.uncertainty.empty()) continue;
    const Matrix& V = penalties.uncertainty[l];
    result.G.middleCols(i * p, p) += V.block(first, first, p, p);
    result.uncertainty_of_length.col(i) += sums.H.cwiseProduct(V).rowwise().sum().segment(first, p);
  }
  for (const Design::Coupling& coupling : design.couplings[k]) {
    const Index p_other = design.n_components(coupling.category);
    const auto begin = result.couplings.size();
    result.couplings.resize(begin + static_cast<std::size_t>(p_other * p));
    Eigen::Map<Matrix> G(result.couplings.data() + begin, p_other, p);
    for (const std::size_t l : coupling.labels) {
      G += statistics.labels[l].G.block(design.first[coupling.category], first, p_other, p);
      if (!penalties.uncertainty.empty())
        G += penalties.uncertainty[l].block(design.first[coupling.category], first, p_other, p);
    }
  }
  return result;
}

std::vector<Matrix> linear_terms(const Design& design, const Statistics& statistics,
                                 const std::vector<Matrix>& pull_of_length, const Rows& rows,
                                 const std::vector<Matrix>& reference) {
  std::vector<Matrix> R;
  for (std::size_t k = 0; k < design.n_categories(); ++k)
    R.push_back(reference[k] * pull_of_length[k].reshaped().asDiagonal());
  for (std::size_t l = 0; l < design.labels.size(); ++l) {
    if (l + kLabelsAhead < design.labels.size())
      ask_for(statistics.labels[l + kLabelsAhead].C.middleRows(rows.first, rows.count));
    const auto C = statistics.labels[l].C.middleRows(rows.first, rows.count);
    for (std::size_t k = 0; k < design.n_categories(); ++k) {
      const Index p = design.n_components(k);
      R[k].middleCols(design.labels[l][k] * p, p) += C.middleCols(design.first[k], p);
    }
  }
  return R;
}

CategoryProblem category_problem(const Design& design, const Penalties& penalties,
                                 const Statistics& statistics, const CategorySums& sums, const Rows& rows,
                                 std::size_t k) {
  const Index p = design.n_components(k), n_options = design.n_options(k);
  CategoryProblem problem{.G = sums.G,
                          .G_of_channel = std::vector<Matrix>(static_cast<std::size_t>(n_options)),
                          .missing_couplings = {},
                          .unknown = {},
                          .R = {},
                          .l1 = penalties.gamma1[k],
                          .gamma2 = penalties.gamma2[k]};
  const bool has_gaps = std::any_of(statistics.labels.begin(), statistics.labels.end(),
                                    [](const LabelSums& label) { return label.missing.size() > 0; });
  if (has_gaps) {
    take_out_missing(design, statistics, penalties.missing, rows, k, problem);
    problem.missing_couplings = missing_couplings(design, statistics, penalties.missing, rows, k);
  }
  // Traces that grow with the component's length cost more smoothness and ridge: (gamma3 S + ridge g)
  // ||a||^2.
  for (Index i = 0; i < n_options; ++i) {
    problem.G.middleCols(i * p, p).diagonal() += sums.cost_of_length.col(i);
    Matrix& G_of_channel = problem.G_of_channel[static_cast<std::size_t>(i)];
    for (Index j = 0; j < p && G_of_channel.size() > 0; ++j)
      G_of_channel.col(packed_index(j, j)).array() += sums.cost_of_length(j, i);
  }
  return problem;
}

// C - sum_{k' != k} A^k' G[k', k], without ever forming a residual of the size of the data.
void subtract_others(const Design& design, const CategorySums& sums, Matrix linear,
                     const std::vector<Matrix>& components, std::size_t k, CategoryProblem& problem) {
  const Index p = design.n_components(k);
  problem.R = std::move(linear);
  const double* G = sums.couplings.data();
  for (std::size_t c = 0; c < design.couplings[k].size(); ++c) {
    const Design::Coupling& coupling = design.couplings[k][c];
    const Index p_other = design.n_components(coupling.category);
    const auto A = components[coupling.category].middleCols(coupling.other_option * p_other, p_other);
    auto R = problem.R.middleCols(coupling.option * p, p);
    kernels().subtract_product(shape_of_columns(R.rows(), p_other), A.data(), G, p, R.data());
    G += p_other * p;
    if (problem.missing_couplings.empty() || problem.missing_couplings[c].size() == 0) continue;
    const Matrix& missing = problem.missing_couplings[c];
    for (Index j = 0; j < p; ++j)
      for (Index l = 0; l < p_other; ++l) R.col(j) += A.col(l).cwiseProduct(missing.col(j * p_other + l));
  }
  for (const auto& [channel, column] : problem.unknown) problem.R(channel, column) = 0.0;
}

double solve_category(const CategoryProblem& problem, const Pulls& pulls, const ComponentOptions& options,
                      Matrix& variants) {
  const bool is_tied = (pulls.own.array() > 0).any();
  const int rounds = is_tied ? options.max_rounds : 1;
  const bool is_tight = is_tied && is_tied_tightly(problem, pulls);
  VariantWork work;
  double moved = 0.0;
  for (int round = 0; round < rounds; ++round) {
    double moved_now = 0.0;
    if (!pulls.of_sum.empty()) sum_variants(variants, problem.n_components(), work.sum);
    for (Index i = 0; i < problem.n_options(); ++i)
      moved_now = std::max(moved_now, solve_variant(problem, pulls, i, options, variants, work));
    if (is_tight) moved_now = std::max(moved_now, shift_together(problem, options, variants));
    moved = std::max(moved, moved_now);
    if (moved_now <= options.tolerance) break;
  }
  return moved;
}

double category_value(const CategoryProblem& problem, const LabelGraph& ties, const Matrix& variants) {
  const Index p = problem.n_components();
  const auto distance = [&](Index i, Index other) -> double {  // every pair is met twice
    return 0.5 * (variants.middleCols(i * p, p) - variants.middleCols(other * p, p)).colwise().squaredNorm() *
           problem.gamma2;
  };
  double value = -2.0 * variants.cwiseProduct(problem.R).sum();
  for (Index i = 0; i < problem.n_options(); ++i) {
    const auto A = variants.middleCols(i * p, p);
    for (Index n = 0; n < A.rows(); ++n)
      for (Index j = 0; j < p; ++j)
        for (Index l = 0; l < p; ++l) value += A(n, j) * problem.gram(i, n, j, l) * A(n, l);
    value += (A.cwiseAbs() * problem.l1.col(i)).sum();
    if (ties.is_constant()) {
      for (Index other = 0; other < problem.n_options(); ++other) value += ties.weight() * distance(i, other);
      continue;
    }
    for (const LabelGraph::Neighbour& other : ties.neighbours(static_cast<int>(i)))
      value += other.weight * distance(i, other.option);
  }
  return value;
}

Components update_components(const Design& design, const Penalties& penalties, const Statistics& statistics,
                             const ComponentOptions& options, const Components& current,
                             const PenaltyValues& penalty_values) {
  // The cost of adding the Gram matrix of a label, and of moving a membership, in values of a short
  // loop.
  constexpr std::size_t kValuesPerGram = 100, kSteps = 50;
  const Index n_channels = current[0][0].rows(), block_rows = rows_per_block(design);
  const int rounds = design.n_categories() > 1 ? options.max_rounds : 1;
  Components components(current.size());
  for (const auto& [k, i] : design.variants) components[k].emplace_back(n_channels, current[k][i].cols());
  std::vector<CategorySums> sums(design.n_categories());
  const auto n_grams = design.labels.size() * design.n_categories();
  parallel_for(sums.size(), threads_for(kValuesPerGram * n_grams, options.threads),
               [&](std::size_t k, int) { sums[k] = sum_category(design, penalties, statistics, k); });
  const std::vector<Matrix> pull = pulls_of_length(penalties, sums, penalty_values);
  const Index n_blocks = (n_channels + block_rows - 1) / block_rows;
  const int threads = threads_for(kSteps * n_values(design, current), options.threads);
  parallel_for(static_cast<std::size_t>(n_blocks), threads, [&](std::size_t b, int) {
    const Index first = static_cast<Index>(b) * block_rows;
    const Rows rows{first, std::min(block_rows, n_channels - first)};
    std::vector<Matrix> block;
    for (const std::vector<Matrix>& variants : current) block.push_back(side_by_side(variants, rows));
    std::vector<Matrix> linear = linear_terms(design, statistics, pull, rows, block);
    std::vector<CategoryProblem> problems;
    for (std::size_t k = 0; k < block.size(); ++k)
      problems.push_back(category_problem(design, penalties, statistics, sums[k], rows, k));
    for (int round = 0; round < rounds; ++round) {
      const bool is_last = round + 1 == rounds;
      double moved = 0.0;
      for (std::size_t k = 0; k < block.size(); ++k) {
        subtract_others(design, sums[k], is_last ? std::move(linear[k]) : linear[k], block, k, problems[k]);
        moved = std::max(moved, solve_category(problems[k], sums[k].pulls, options, block[k]));
      }
      if (moved <= options.tolerance) break;
    }
    for (std::size_t k = 0; k < block.size(); ++k)
      for (std::size_t i = 0; i < components[k].size(); ++i) {
        const Index p = components[k][i].cols();
        components[k][i].middleRows(rows.first, rows.count) =
            block[k].middleCols(static_cast<Index>(i) * p, p);
      }
  });
  return components;
}

}  // namespace milcci
