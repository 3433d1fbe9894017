// The component update, paper eq. (2): every variant of every category, given the traces, from the sums
// alone.
#pragma once

#include "fit/state.hpp"
#include "solvers/lasso.hpp"

namespace milcci {

/// Loose by default: the traces change again right after, so digits beyond these are thrown away.
struct ComponentOptions {
  LassoOptions lasso = {.is_nonnegative = false, .tolerance = 1e-6, .max_sweeps = 50};
  /// Rounds over the variants of one category, and over the categories; the sums stay as they are, so a round
  /// does not touch the data.
  int max_rounds = 2;
  /// Stop when no membership moved by more than this.
  double tolerance = 1e-5;
  int threads = 1;
};

/// New components, not yet scaled back to length one. Channels do not depend on one another here, so they are
/// dealt to the threads in blocks of fixed size.
Components update_components(const Design& design, const Penalties& penalties, const Statistics& statistics,
                             const ComponentOptions& options, const Components& current);

/// A block of channels.
struct Rows {
  Index first, count;
};

/// The statistics as one category sees them, added up once for all blocks of channels and all rounds.
struct CategorySums {
  std::vector<Matrix> C;  ///< [i] N x p, with the linear term that keeps the L1 norm from pulling on lengths
  std::vector<Matrix> G;  ///< [i] p x p
  /// What an option's trials share with variants of other categories.
  struct Coupling {
    std::size_t category;
    int option;
    Matrix G;  ///< p_other x p
  };
  std::vector<std::vector<Coupling>> couplings;  ///< [i]
  std::vector<Vector> cost_of_length;            ///< [i] p; times ||a||^2: smoothness and ridge
};
/// `reference`: the components, at length one, from which the update begins.
CategorySums sum_category(const Design& design, const Penalties& penalties, const Statistics& statistics,
                          const Components& reference, std::size_t k);

/// One category's share of eq. (2) for a block of channels: for each option i, with the other categories'
/// part subtracted from R,
///   sum_n a_n' G_n a_n - 2 r_n' a_n + sum_j l1_j |a_nj|, and between options gamma2_j w(i, i') (a_nj -
///   a'_nj)^2.
struct CategoryProblem {
  std::vector<Matrix> G;                          ///< [i] p x p
  std::vector<std::vector<Matrix>> G_of_channel;  ///< [i][n] p x p, or empty if option i has no gaps
  std::vector<Matrix> R;                          ///< [i] N x p
  std::vector<Vector> l1;                         ///< [i] p
  Vector gamma2;                                  ///< p
};
/// `components` holds the block's rows only.
CategoryProblem category_problem(const Design& design, const Penalties& penalties,
                                 const Statistics& statistics, const CategorySums& sums, const Rows& rows,
                                 const Components& components, std::size_t k);
void solve_category(const CategoryProblem& problem,
                    const std::vector<std::vector<Design::Neighbour>>& neighbours,
                    const ComponentOptions& options, std::vector<Matrix>& variants);
/// The value that `solve_category` lowers.
double category_value(const CategoryProblem& problem,
                      const std::vector<std::vector<Design::Neighbour>>& neighbours,
                      const std::vector<Matrix>& variants);

}  // namespace milcci
