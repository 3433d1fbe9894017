// Traces of a linear dynamical system, phi_t = W phi_{t-1} + noise, with a W of its own for every label.
//
// W turns neighbouring components into each other (rotations in pairs, 1 and 2, 3 and 4, ..., by an angle
// that the label decides), couples the pairs, and damps:
//
//   W = D Q D,   Q = (I - S/2)^-1 (I + S/2),   S skew-symmetric: 2 tan(angle / 2) within a pair, small
//   between
//
// Q is orthogonal and the entries of the diagonal matrix D are below one, so the system is stable. With noise
// of the covariance I - W W' its traces have covariance I at all times, and no run-in is needed.
//
// Traces that may not be negative need a level, and a level must not disturb the dynamics: shifted by c, the
// traces obey phi_t = W phi_{t-1} + (I - W) c + noise, which no model without a constant describes. So the
// rotations then act on what differs between components only, and their common level stays as it is:
//
//   W = (I - U) D Q D (I - U) + U,   U = 1 1' / P,   W 1 = 1
//
// The level takes a random walk of about one standard deviation over the trial.
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "simulate/stages.hpp"

namespace milcci::simulation {
namespace {

constexpr double kLeastAngle = 0.1, kMostAngle = 0.3;         // radians per sample: 63 to 21 samples a turn
constexpr double kLeastDamping = 0.96, kMostDamping = 0.995;  // share that is left after a sample
constexpr double kCoupling = 0.1;                             // standard deviation of S between pairs

Matrix rotations(Index n_components, Random& random) {
  Matrix S = Matrix::Zero(n_components, n_components);
  for (Index i = 0; i < n_components; ++i)
    for (Index j = 0; j < i; ++j) {
      const bool is_pair = i / 2 == j / 2;
      S(i, j) = is_pair ? 2.0 * std::tan(0.5 * random.uniform(kLeastAngle, kMostAngle))
                        : kCoupling * random.normal();
      S(j, i) = -S(i, j);
    }
  const Matrix identity = Matrix::Identity(n_components, n_components);
  const Matrix Q = (identity - 0.5 * S).partialPivLu().solve(identity + 0.5 * S);
  Vector damping(n_components);
  for (double& d : damping) d = std::sqrt(random.uniform(kLeastDamping, kMostDamping));
  return damping.asDiagonal() * Q * damping.asDiagonal();
}

// What is not the common level.
Matrix without_level(Index n_components) {
  return Matrix::Identity(n_components, n_components) -
         Matrix::Constant(n_components, n_components, 1.0 / static_cast<double>(n_components));
}

// A root of a matrix without negative eigenvalues; those of rounding errors count as zero.
Matrix root(const Matrix& covariance) {
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(covariance);
  return eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0.0).cwiseSqrt().asDiagonal();
}

// One trial, P x T. `space` is what the rotations act on, I or I - U.
Matrix draw_states(const Matrix& W, const Matrix& space, Index n_times, Random& random) {
  const Index P = W.rows();
  const Matrix inner = space * W * space;
  const Matrix noise = root(space - inner * inner.transpose());
  const bool has_level = space(0, 0) < 1;
  const double level_step = has_level ? 1.0 / std::sqrt(static_cast<double>(n_times)) : 0.0;
  Matrix states(P, n_times);
  states.col(0) = space * random.normal(P, 1);
  for (Index t = 1; t < n_times; ++t) {
    states.col(t) = W * states.col(t - 1) + noise * random.normal(P, 1);
    if (has_level) states.col(t).array() += level_step * random.normal();
  }
  return states;
}

// A combination of options as one number, the first category's the lowest digit.
std::uint64_t label_of(const SimulateOptions& options, const std::vector<CategoryLabels>& labels,
                       std::size_t trial) {
  std::uint64_t number = 0, place = 1;
  for (std::size_t k = 0; k < labels.size(); ++k) {
    if (!has_label_column(options.categories[k])) continue;
    number += place * static_cast<std::uint64_t>(labels[k].option_of_trial[trial]);
    place *= static_cast<std::uint64_t>(options.categories[k].n_options);
  }
  return number;
}

// All traces of a trial by the same amount, which W leaves as it is.
void shift_together(Shift shift, std::vector<Matrix>& traces) {
  if (shift == Shift::none) return;
  double smallest = traces.front().minCoeff();
  for (const Matrix& trial : traces) smallest = std::min(smallest, trial.minCoeff());
  for (Matrix& trial : traces) trial.array() -= shift == Shift::trace ? trial.minCoeff() : smallest;
}

}  // namespace

Dynamics draw_dynamics(const SimulateOptions& options, const std::vector<CategoryLabels>& labels,
                       const std::vector<Index>& lengths) {
  Index n_components = 0;
  for (const SimulatedCategory& category : options.categories) n_components += category.n_components;
  const bool has_level = !options.is_signed && options.shift != Shift::none;
  const Matrix identity = Matrix::Identity(n_components, n_components);
  const Matrix space = has_level ? without_level(n_components) : identity;
  Dynamics dynamics;
  for (std::size_t m = 0; m < lengths.size(); ++m) {
    Random of_label = random_for(options.seed, Stream::transitions, 0, label_of(options, labels, m));
    Random of_trial = random_for(options.seed, Stream::states, 0, m);
    const Matrix W = space * rotations(n_components, of_label) * space + (identity - space);
    dynamics.traces.push_back(draw_states(W, space, lengths[m], of_trial));
    dynamics.transitions.push_back(W);
  }
  if (has_level) shift_together(options.shift, dynamics.traces);
  return dynamics;
}

}  // namespace milcci::simulation
