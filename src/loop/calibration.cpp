#include "loop/calibration.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "loop/penalties.hpp"
#include "util/ordered_sum.hpp"
#include "util/parallel.hpp"

namespace milcci {
namespace {

// Which traces of every time point are free, as bits.
std::vector<std::uint64_t> free_sets(const Matrix& phi, bool is_nonnegative, const Matrix& H) {
  std::vector<std::uint64_t> sets(static_cast<std::size_t>(phi.rows()), 0);
  for (Index j = 0; j < phi.cols(); ++j) {
    if (!(H(j, j) > 0)) continue;  // dead
    for (Index t = 0; t < phi.rows(); ++t)
      if (!is_nonnegative || phi(t, j) > 0) sets[static_cast<std::size_t>(t)] |= std::uint64_t{1} << j;
  }
  std::sort(sets.begin(), sets.end());
  return sets;
}

// Adds n K_SS^-1 in the rows and columns of S.
void add_inverse(const Matrix& K, std::uint64_t set, double n, Matrix& V) {
  std::vector<Index> members;
  for (Index j = 0; j < K.rows(); ++j)
    if ((set >> j) & 1) members.push_back(j);
  const auto size = static_cast<Index>(members.size());
  if (size == 0) return;
  const Matrix inverse = Matrix(K(members, members)).llt().solve(Matrix::Identity(size, size));
  V(members, members) += n * inverse;
}

// H of the observed channels, on average over the time points.
Matrix mean_hessian(const Matrix& A, const Gaps* gaps, double missing, Index n_times) {
  if (gaps == nullptr) return A.transpose() * A;
  Vector share = Vector::Ones(A.rows());
  for (const int n : gaps->channel) share(n) -= (1.0 - missing) / static_cast<double>(n_times);
  return A.transpose() * share.cwiseMax(0.0).asDiagonal() * A;
}

void add_trial(const Penalties& penalties, const Matrix& H, const Matrix& phi, bool is_nonnegative,
               Matrix& V) {
  Matrix K = H;
  for (Index j = 0; j < K.rows(); ++j) {
    // The variance of a trace by itself, h = H_jj + ridge and q = gamma3, is 1 / sqrt(h (h + 4 q)).
    const double h = H(j, j) + penalties.ridge(j);
    K(j, j) = std::sqrt(h * (h + 4.0 * penalties.gamma3(j)));
  }
  constexpr Index kBits = 64;
  if (K.rows() > kBits) {  // traces one by one
    for (Index j = 0; j < K.rows(); ++j)
      if (H(j, j) > 0)
        V(j, j) +=
            static_cast<double>(is_nonnegative ? (phi.col(j).array() > 0).count() : phi.rows()) / K(j, j);
    return;
  }
  const std::vector<std::uint64_t> sets = free_sets(phi, is_nonnegative, H);
  for (auto set = sets.begin(); set != sets.end();) {
    const auto next = std::upper_bound(set, sets.end(), *set);
    add_inverse(K, *set, static_cast<double>(next - set), V);
    set = next;
  }
}

}  // namespace

bool chooses_members(const FitOptions& options) {
  return options.penalties == PenaltyChoice::automatic && !options.sparsity && !options.gamma1;
}

void calibrate_traces(const Calibration* calibration, const FitOptions& options, Penalties& penalties) {
  if (calibration == nullptr) return;
  if (calibration->ridge.size() > 0 && !options.ridge) penalties.ridge = calibration->ridge;
  if (calibration->smoothness.size() > 0 && !options.smoothness && !options.gamma3)
    penalties.gamma3 = calibration->smoothness.maxCoeff() > 0 ? PerComponent(calibration->smoothness) : 0.0;
  penalties.uncertainty = calibration->uncertainty;
}

void calibrate_components(const Calibration* calibration, const FitOptions& options, Penalties& penalties) {
  if (calibration == nullptr) return;
  if (!calibration->consistency.empty() && !options.consistency && !options.gamma2)
    penalties.gamma2 = calibration->consistency;
  if (calibration->keeps_members && chooses_members(options))
    for (Matrix& gamma1 : penalties.gamma1) gamma1.setZero();
}

Frame frame_of(const NoiseModel& noise) {
  Frame frame{.offset = noise.offset, .weight = {}};
  if (noise.level.size() > 0) frame.weight = noise.unit / noise.level.array();
  if ((frame.weight.array() == 1.0).all()) frame.weight.resize(0);
  return frame;
}

double noise_level_of(const NoiseModel& noise) {
  return noise.is_calibrated() ? noise.unit : 0.0;
}

std::optional<Calibration> calibration_of(const NoiseModel& noise) {
  if (noise.ridge.size() == 0 && noise.consistency.empty()) return std::nullopt;
  return Calibration{.noise = noise.unit * noise.unit,
                     .ridge = noise.ridge,
                     .smoothness = noise.smoothness,
                     .consistency = noise.consistency,
                     .uncertainty = {},
                     .keeps_members = !noise.keeps_sparsity};
}

std::vector<Matrix> uncertainty_per_noise(const TrialData& data, const Design& design,
                                          const Penalties& penalties, bool is_nonnegative, const State& state,
                                          int threads) {
  const Matrix zero = Matrix::Zero(design.n_components(), design.n_components());
  std::vector<Matrix> result(design.labels.size(), zero);
  const auto of_block = [&](std::size_t b, int, Matrix& part) {
    part = zero;
    const Design::Block& block = design.blocks[b];
    const Matrix A = loading(design, state.components, static_cast<std::size_t>(block.label));
    for (const std::size_t m : block.trials)
      add_trial(penalties, mean_hessian(A, data.gaps(m), penalties.missing, data.n_times(m)), state.traces[m],
                is_nonnegative, part);
  };
  sum_over_blocks(design.blocks.size(), threads, zero, of_block, [&](std::size_t b, const Matrix& part) {
    result[static_cast<std::size_t>(design.blocks[b].label)] += part;
  });
  return result;
}

void set_uncertainty(const TrialData& data, const Design& design, const FitOptions& options,
                     const State& state, Calibration& calibration) {
  if (options.prior == TracePrior::lds) return;
  Penalties penalties = trace_penalties(options, data, design.n_components());
  calibrate_traces(&calibration, options, penalties);
  const bool is_nonnegative =
      options.nonnegative == NonNegative::both || options.nonnegative == NonNegative::traces;
  calibration.uncertainty =
      uncertainty_per_noise(data, design, penalties, is_nonnegative, state, resolve_threads(options.threads));
  for (Matrix& V : calibration.uncertainty) V *= calibration.noise;
}

}  // namespace milcci
