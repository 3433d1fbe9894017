// Principal component analysis about each channel's mean, over observed entries only.
//
//   min_{A, b, Phi} sum over observed (n, s) of (y_ns - b_n - a_n phi_s)^2
//
// Without gaps: b the means, A the leading eigenvectors of the covariance. With gaps: b and A of the data
// with means in the gaps, then phi given (A, b) and (a_n, b_n) given phi in turn, each an exact least squares
// problem over what was observed; in the end A is turned to the principal axes of what it describes.
#include <fmt/format.h>

#include <Eigen/QR>

#include "baselines/degrees_of_freedom.hpp"
#include "baselines/leading.hpp"
#include "baselines/methods.hpp"
#include "baselines/moments.hpp"
#include "baselines/trace_solver.hpp"

namespace milcci::baselines {
namespace {

// (a_n, b_n) of every channel by least squares on F = (Phi; 1), over the channel's observed time points.
void solve_channels(const Samples& samples, const Matrix& traces, Matrix& A, Vector& b) {
  const Index P = traces.rows(), S = traces.cols();
  Matrix F(P + 1, S);
  F << traces, Eigen::RowVectorXd::Ones(S);
  const Matrix all = F * F.transpose(), inverse = inverse_of_gram(all);
  for (Index n = 0; n < A.rows(); ++n) {
    const Vector y = samples.values.row(n).transpose();
    const Vector is_observed = 1.0 - y.array().isNaN().cast<double>();
    const bool is_complete = is_observed.sum() == static_cast<double>(S);
    const Vector r = F * y.array().isNaN().select(0.0, y).matrix();
    const Vector solution =
        (is_complete ? inverse : inverse_of_gram(F * is_observed.asDiagonal() * F.transpose())) * r;
    A.row(n) = solution.head(P).transpose();
    b(n) = solution(P);
  }
}

double squared_error(const Samples& samples, const Matrix& A, const Vector& b, const Matrix& traces) {
  const Matrix error = (samples.values - A * traces).colwise() - b;
  return error.array().isNaN().select(0.0, error).squaredNorm();
}

// The same A Phi + b with orthonormal components along the principal axes, and traces of mean zero.
void turn_to_principal_axes(Matrix& A, Vector& b, Matrix& traces) {
  const Vector mean = traces.rowwise().mean();
  b += A * mean;
  traces.colwise() -= mean;
  const Index P = A.cols();
  const Eigen::HouseholderQR<Matrix> qr(A);
  const Matrix R = qr.matrixQR().topRows(P).triangularView<Eigen::Upper>();
  const Matrix in_axes = R * traces;
  const Matrix turn = leading_eigenvectors(in_axes * in_axes.transpose(), P).vectors;
  A = qr.householderQ() * Matrix::Identity(A.rows(), P) * turn;
  traces = turn.transpose() * in_axes;
}

}  // namespace

BaselineFit fit_pca(const Task& task) {
  const Samples samples = side_by_side(task.trials);
  const Index N = samples.values.rows(), S = samples.values.cols(), P = task.n_components();
  require_at_most(task, N, "channels");
  require_at_most(task, S, "time points in all trials");
  BaselineFit fit;
  const Moments moments = moments_of(samples);
  Vector b = moments.mean;
  Matrix A = leading_eigenvectors(moments.covariance, P).vectors;
  Matrix traces = TraceSolver(A, b, {}).solve(samples.values);
  const double variation = moments.covariance.trace() * static_cast<double>(S);
  if (samples.n_missing > 0) {
    fit.notes.push_back(fmt::format("fitted to observed entries only, {} are missing", samples.n_missing));
    Descent descent(task.options, task.clock, variation);
    while (descent.goes_on(squared_error(samples, A, b, traces))) {
      solve_channels(samples, traces, A, b);
      traces = TraceSolver(A, b, {}).solve(samples.values);
    }
    set_outcome(descent, fit);
    turn_to_principal_axes(A, b, traces);
  } else {
    fit.objective = {variation - traces.squaredNorm()};
    fit.iterations = 1;
  }
  const Observed observed(!samples.values.array().isNaN());
  fit.degrees_of_freedom = count_of_rank(observed, P) + static_cast<double>(observed.n_rows());
  fit.degrees_of_freedom_note =
      "those of a matrix of rank P, and a mean per channel: P (N + S - P) + N, S time points in all trials, "
      "less where entries are missing";
  fit.model.noise.offset = b;
  set_components(task, A, samples.split(traces), fit);
  return fit;
}

}  // namespace milcci::baselines
