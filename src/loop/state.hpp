// What a fit changes, what it is penalised by, and the sums that stand for the data between two passes.
#pragma once

#include <vector>

#include "label_graphs/design.hpp"
#include "milcci/model.hpp"
#include "milcci/types.hpp"
#include "util/per_component.hpp"

namespace milcci {

struct State {
  Components components;
  std::vector<Matrix> traces;       ///< Phi_m', T_m x P: one trace is contiguous; empty before the first pass
  std::vector<Matrix> transitions;  ///< W_m, P x P; lds prior only
  /// What the next pass multiplies the traces by before it starts from them, [k] p_k x n_options;
  /// empty means one.
  std::vector<Matrix> pending_scale;
};

/// gamma1 ... gamma5 as they enter the objective, constant within a stage. gamma1 and gamma2 are per
/// component, as LASSO users standardise their predictors: one common weight would kill weak components
/// first.
struct Penalties {
  std::vector<Matrix> gamma1;  ///< [k] p_k x n_options
  std::vector<Vector> gamma2;  ///< [k] p_k
  PerComponent gamma3;         ///< common to all with the lds prior
  Vector gamma4;               ///< per trial; empty = none
  Vector gamma5;               ///< per trial; lds only
  PerComponent ridge;
  /// Per label P x P: the variance of the traces about their estimates, summed over the time points of its
  /// trials. Empty = none. F charges <A' A, V> for it.
  std::vector<Matrix> uncertainty;
  double missing = 0;  ///< weight of missing entries, taken as zero
};

/// Sums over the trials of one label: all that the component update needs of data and traces.
struct LabelSums {
  Matrix C;  ///< sum_m Y_m Phi_m', N x P
  Matrix G;  ///< sum_m Phi_m Phi_m', P x P
  Matrix H;  ///< A' A, P x P
  /// Per channel a column, sum of phi_t phi_t' over its missing entries, packed: padded(packed_size(P)) x N;
  /// empty = no gaps.
  Matrix missing;
  Vector trace_sum;     ///< P; of the trials without gaps
  Vector prior_energy;  ///< P; the prior's squared residuals per trace
};

struct Statistics {
  std::vector<LabelSums> labels;
  double energy = 0;    ///< sum of squares of the observed data
  Objective objective;  ///< at the components and traces of the pass
};

}  // namespace milcci
