// SiBBlInGS (Mudrik, Mishne and Charles 2024): components of their own for every state, tied by graphs.
#pragma once

#include "baselines/state_graphs.hpp"

namespace milcci::baselines {

/// The knobs of the method, with the defaults of the authors' program, free of units: memberships have a mean
/// size of one, the weights of penalties are against the error that they compete with.
struct SibblingsKnobs {
  double sparsity = 0.2;        ///< epsilon: numerator of the weights of the L1 norm
  double floor = 0.09;          ///< beta: their denominator where nothing is known
  double graph = 2.0;           ///< w: what the neighbours in the channel graph add to it
  double own_graph = 0.6;       ///< share of the state's own channel graph, the rest is that of all states
  int n_neighbours = 7;         ///< of a channel in the graph
  double similarity = 0.1;      ///< pull between the components of like states
  double smoothness = 0.2;      ///< of the traces
  double decorrelation = 0.01;  ///< of the traces of a trial
  double ridge = 1e-6;          ///< of the traces
  int reweightings = 2;         ///< of the L1 norm in one iteration
};

/// Rows of one state's components with fixed weights of the L1 norm, in place:
///   min_a a'Ga - 2 r_n'a + sum_j l1_nj |a_j| + pull_j sum_d' P_d' (a_j - others_d'nj)^2
/// `toward` (N x P) is sum_d' P_d' others_d', and the P_d' sum to `total`.
void update_state(const Matrix& G, const Matrix& R, const Matrix& l1, const Vector& pull,
                  const Matrix& toward, double total, Matrix& A);

/// unit * epsilon / (beta + |a_nj| + w sum_n' H_nn' |a_n'j|).
Matrix sparsity_weights(const SibblingsKnobs& knobs, const ChannelGraph& channel_graph, const Matrix& A,
                        double unit);

/// s_jl = sqrt(h_j h_l) / (||phi_j|| ||phi_l||), h_j = ||a_j||^2: what makes the overlap of two traces free
/// of units. Zero where one of them is.
Matrix overlap_weights(const Vector& h, const Matrix& traces);

/// What `sweep_traces` adds to the error, with these weights of overlaps.
double trace_penalties(const SibblingsKnobs& knobs, const Vector& h, const Matrix& overlap,
                       const Matrix& traces);

/// The traces of a trial, row by row, in place; each step lowers
///   ||Y - A Phi||^2 + sum_j h_j (q sum_t (phi_jt - phi_j,t-1)^2 + r ||phi_j||^2)
///     + d sum_{j < l} s_jl (phi_j . phi_l)^2,      h_j = ||a_j||^2, s = `overlap`, H = A'A, B = A'Y
/// A row solves a tridiagonal system plus P - 1 outer products (Woodbury).
void sweep_traces(const SibblingsKnobs& knobs, const Matrix& H, const Matrix& B, const Matrix& overlap,
                  Matrix& traces);

/// Throws Error(numerical) if the error is above that of no components at all.
void refuse_divergence(double squared_error, double energy);

}  // namespace milcci::baselines
