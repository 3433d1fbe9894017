// The component update, paper eq. (2): every variant of every category, given the traces, from the sums
// alone.
#pragma once

#include "loop/penalty_values.hpp"
#include "loop/state.hpp"
#include "solvers/lasso.hpp"

namespace milcci {

/// Loose by default: the traces change again right after, so digits beyond these are thrown away.
struct ComponentOptions {
  LassoOptions lasso = {.is_nonnegative = false, .tolerance = 1e-4, .max_sweeps = 50};
  /// Sweeps over the variants of one category, and over the categories. The sums stay as they are,
  /// so a sweep does not touch the data.
  int max_rounds = 2;
  /// Stop when no membership moved by more than this.
  double tolerance = 1e-5;
  /// Only memberships that are not zero are moved.
  bool keeps_members = false;
  int threads = 1;
};

/// New components, not yet scaled back to length one. `current` have length one; `penalty_values`
/// is what F charges them for. Channels are independent of one another here, so the threads share
/// them in blocks of fixed size.
Components update_components(const Design& design, const Penalties& penalties, const Statistics& statistics,
                             const ComponentOptions& options, const Components& current,
                             const PenaltyValues& penalty_values);

/// A block of channels.
struct Rows {
  Index first, count;
};

/// One category's variants for a block of channels side by side: option i has columns i p ... i p + p - 1.
Matrix side_by_side(const std::vector<Matrix>& variants, const Rows& rows);

/// What the neighbours of every option add to its G and R: gamma2 sum_i' w(i, i') and gamma2 w(i, i').
struct Pulls {
  Matrix own;  ///< p x n_options
  /// Where all options are equally alike: gamma2 w for the sum of all options, and -gamma2 w for
  /// the option itself, p of each. Pairs are then not needed. Empty otherwise.
  std::vector<double> of_sum;
  std::vector<std::size_t> first;  ///< where an option's neighbours begin; empty if `of_sum` is not
  std::vector<Index> option;
  std::vector<double> weight;  ///< p of each
};
Pulls pulls_of_neighbours(const Vector& gamma2, const LabelGraph& ties);

/// The statistics and penalties as one category sees them, made once for all blocks of channels and
/// all sweeps.
struct CategorySums {
  Matrix G;  ///< p x p per option, side by side
  /// What an option's trials share with a variant of another category, for every coupling of the
  /// design: matrices p_other x p, one after the other.
  std::vector<double> couplings;
  Matrix cost_of_length;  ///< p x n_options; times ||a||^2: smoothness and ridge
  /// p x n_options: half the derivative of <A' A, V> along the component itself.
  Matrix uncertainty_of_length;
  Pulls pulls;
};
CategorySums sum_category(const Design& design, const Penalties& penalties, const Statistics& statistics,
                          std::size_t k);

/// Components are scaled to length one after the update, and their traces by the same number: F
/// charges the L1 norm and the distances between variants at length one. As eq. (2) writes them,
/// both terms also act on the lengths. Half of that force, at components a of length one with these
/// `penalty_values`, is
///   1/2 d/ds (gamma1 ||s a||_1 + gamma2 sum_i' w ||s a - a'||^2) =
///   1/2 (gamma1 ||a||_1 + gamma2 sum_i' w ||a - a'||^2)
/// and likewise for the uncertainty of the traces.
/// Adding this many times a to R removes it. Per category p x n_options. Between variants that are
/// still far apart it would be a multiple of what the data say, so it is limited to a share of
/// their G.
std::vector<Matrix> pulls_of_length(const Penalties& penalties, const std::vector<CategorySums>& sums,
                                    const PenaltyValues& penalty_values);

/// One category's share of eq. (2) for a block of channels: for each option i, with the other categories'
/// part subtracted from R,
///   sum_n a_n' G_n a_n - 2 r_n' a_n + sum_j l1_j |a_nj|, and between options gamma2_j w(i, i') (a_nj -
///   a'_nj)^2.
/// The matrices of the options stand side by side.
struct CategoryProblem {
  Matrix G;  ///< p x p per option
  /// [i] padded(n) x packed_size(p), the G of every channel in a row; empty if option i has no gaps.
  std::vector<Matrix> G_of_channel;
  /// What missing entries remove from the couplings of the sums: n x (p_other p) each; empty where
  /// nothing is missing.
  std::vector<Matrix> missing_couplings;
  /// Channels, and columns of R, about which the data say nothing.
  struct Place {
    Index channel, column;
  };
  std::vector<Place> unknown;
  Matrix R;       ///< n x p per option
  Matrix l1;      ///< p x n_options
  Vector gamma2;  ///< p

  Index n_components() const { return gamma2.size(); }
  Index n_options() const { return l1.cols(); }
  double gram(Index option, Index channel, Index j, Index l) const;
};
/// The part of every category's R that does not change from sweep to sweep. `reference` are the
/// components that `pull_of_length` belongs to: the block's rows, per category side by side.
std::vector<Matrix> linear_terms(const Design& design, const Statistics& statistics,
                                 const std::vector<Matrix>& pull_of_length, const Rows& rows,
                                 const std::vector<Matrix>& reference);
/// What does not change from sweep to sweep; R is left to `subtract_others`.
CategoryProblem category_problem(const Design& design, const Penalties& penalties,
                                 const Statistics& statistics, const CategorySums& sums, const Rows& rows,
                                 std::size_t k);
/// R = linear less what the other categories' components explain. `components`: the block's rows, per
/// category side by side.
void subtract_others(const Design& design, const CategorySums& sums, Matrix linear,
                     const std::vector<Matrix>& components, std::size_t k, CategoryProblem& problem);
/// Returns the largest movement of a membership in one sweep.
double solve_category(const CategoryProblem& problem, const Pulls& pulls, const ComponentOptions& options,
                      Matrix& variants);
/// The value that `solve_category` lowers.
double category_value(const CategoryProblem& problem, const LabelGraph& ties, const Matrix& variants);

}  // namespace milcci
