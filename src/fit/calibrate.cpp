#include "fit/calibrate.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

#include "fit/members.hpp"
#include "fit/standard_errors.hpp"
#include "fit/time_course.hpp"
#include "label_graphs/laplacian.hpp"
#include "loop/huber.hpp"
#include "loop/normalise.hpp"
#include "loop/penalties.hpp"
#include "loop/penalty_values.hpp"
#include "loop/residuals.hpp"
#include "util/parallel.hpp"
#include "util/percentile.hpp"

namespace milcci {
namespace {

// A channel that is described without error would otherwise count for all others.
constexpr double kLeastShareOfNoise = 0.3, kLeastShareOfVariance = 1e-3;
// Of the standard deviation of a channel.
constexpr double kLeastOffset = 0.03;
// Of the evidence of an option: beyond that variants are the same.
constexpr double kMostConsistency = 1e3;
// Rotations and categories are chosen after a look at the variants, which then differ by more than their
// error says. With four times the variance co-smoothing is best, or nearly so, on all real data that were
// tried.
constexpr double kCaution = 4.0;
constexpr double kSlowly = 0.7, kCancelling = 0.05;
// What is left of the variance of a trace without its error, against that error.
constexpr double kLeastSignal = 0.02;
constexpr double kAboveNoise = 1.5;
constexpr double kMostSmoothness = 1e4;

// Per component: the part of sum phi_t^2 that an offset per channel would describe as well. A component adds
// a_i phi_t to the channels in the trials of option i; with s_i the sum of its trace over them, its mean over
// all n time points is (sum_i a_i s_i) / n, whose energy is |sum_i a_i s_i|^2 / n.
Vector energy_of_means(const Design& design, const State& state, double n) {
  Vector energy(design.n_components());
  for (std::size_t k = 0; k < design.n_categories(); ++k) {
    const Index p = design.n_components(k), first = design.first[k];
    Matrix mean = Matrix::Zero(state.components[k].front().rows(), p);
    for (std::size_t m = 0; m < state.traces.size(); ++m) {
      const std::vector<int>& label = design.labels[static_cast<std::size_t>(design.label_of_trial[m])];
      const Vector sum = state.traces[m].middleCols(first, p).colwise().sum().transpose();
      mean += state.components[k][static_cast<std::size_t>(label[k])] * sum.asDiagonal();
    }
    energy.segment(first, p) = mean.colwise().squaredNorm().transpose() / n;
  }
  return energy;
}

// sum over the trials of each option of ||phi_j||^2: [k] p_k x n_options.
std::vector<Matrix> energies_of_options(const Design& design, const State& state) {
  std::vector<Matrix> energy;
  for (std::size_t k = 0; k < design.n_categories(); ++k)
    energy.push_back(Matrix::Zero(design.n_components(k), design.n_options(k)));
  for (std::size_t m = 0; m < state.traces.size(); ++m) {
    const std::vector<int>& label = design.labels[static_cast<std::size_t>(design.label_of_trial[m])];
    const Vector squares = state.traces[m].colwise().squaredNorm().transpose();
    for (std::size_t k = 0; k < design.n_categories(); ++k)
      energy[k].col(label[k]) += squares.segment(design.first[k], design.n_components(k));
  }
  return energy;
}

// tr L (diag(evidence) + gamma L)^-1: the expected a' L a of what is not known of a, over sigma^2. Times
// gamma it is how many of the n_options - 1 differences the penalty decides, and not the data (MacKay).
double expected_distance(const LabelGraph& ties, const Vector& evidence, double gamma) {
  constexpr int kMostOptions = 100;
  double sum = 0.0;
  if (ties.n_options() > kMostOptions) {
    for (int i = 0; i < ties.n_options(); ++i)
      if (const double own = ties.sum(i); own > 0) sum += own / (evidence(i) + gamma * own);
    return sum;
  }
  const Matrix L = laplacian(ties);
  Matrix K = gamma * L;
  K.diagonal() += evidence;
  return K.ldlt().solve(L).trace();
}

// Such a component cannot be told from the channel's own noise, however strong it is.
bool is_one_channel(const std::vector<Matrix>& variants, Index component) {
  constexpr double kNearlyAll = 0.95;
  double largest = 0, all = 0;
  for (const Matrix& variant : variants) {
    largest += variant.col(component).cwiseAbs2().maxCoeff();
    all += variant.col(component).squaredNorm();
  }
  return largest > kNearlyAll * all;
}

double ratio_of(double a, double b) {
  return a == b ? 1.0 : std::max(a, b) / std::max(std::min(a, b), 1e-300);
}

}  // namespace

void change_frame(const Frame& from, const Frame& to, const Design& design, State& state) {
  const Index n_channels = state.components[0][0].rows();
  Vector factor(n_channels);
  for (Index n = 0; n < n_channels; ++n) factor(n) = to.weight_of(n) / from.weight_of(n);
  for (std::vector<Matrix>& variants : state.components)
    for (Matrix& variant : variants) variant.array().colwise() *= factor.array();
  normalise(design, Scale::length_one, state);
}

Calibrator::Calibrator(TrialData& data, const Design& design, const FitOptions& options,
                       const FitOptions& first_options)
    : data_(data),
      design_(design),
      options_(options),
      first_options_(first_options),
      is_nonnegative_(options.nonnegative == NonNegative::both || options.nonnegative == NonNegative::traces),
      threads_(resolve_threads(options.threads)),
      is_noise_(static_cast<std::size_t>(design.n_components()), false) {}

bool Calibrator::is_needed() const {
  return options_.penalties == PenaltyChoice::automatic || has_offset(options_) ||
         has_noise_levels(options_) || is_robust();
}

const Calibration* Calibrator::calibration() const {
  return is_estimated_ && options_.penalties == PenaltyChoice::automatic ? &calibration_ : nullptr;
}

Penalties Calibrator::trace_weights() const {
  Penalties penalties = trace_penalties(options_now(), data_, design_.n_components());
  calibrate_traces(calibration(), options_, penalties);
  return penalties;
}

void Calibrator::update_uncertainty(const State& state) {
  per_noise_ = uncertainty_per_noise(data_, design_, trace_weights(), is_nonnegative_, state, threads_);
  // How uncertain traces are that follow dynamics is not known: they are taken as they are.
  if (options_.prior == TracePrior::lds) return;
  calibration_.uncertainty = per_noise_;
  for (Matrix& V : calibration_.uncertainty) V *= calibration_.noise;
}

double Calibrator::estimate(const Statistics& statistics, State& state) {
  const bool is_new = !is_estimated_;
  const Calibration before = calibration_;
  const Frame frame_before = data_.frame();
  update_uncertainty(state);
  estimate_frame(statistics, state);
  change_frame(frame_before, data_.frame(), design_, state);
  if (options_.penalties == PenaltyChoice::automatic) {
    update_uncertainty(state);
    estimate_consistency(state);
    if (options_.prior != TracePrior::lds) estimate_traces(state);
  }
  is_estimated_ = true;
  update_uncertainty(state);
  if (is_new) return std::numeric_limits<double>::infinity();
  // Weights that are small beside a squared membership of one may change as they like.
  constexpr double kSmallRidge = 3e-3, kSmallSmoothness = 3e-2;
  double largest = ratio_of(calibration_.noise, before.noise);
  for (Index j = 0; j < calibration_.ridge.size(); ++j)
    largest = std::max(
        {largest, ratio_of(calibration_.ridge(j) + kSmallRidge, before.ridge(j) + kSmallRidge),
         ratio_of(calibration_.smoothness(j) + kSmallSmoothness, before.smoothness(j) + kSmallSmoothness)});
  for (std::size_t k = 0; k < calibration_.consistency.size(); ++k)
    for (Index j = 0; j < calibration_.consistency[k].size(); ++j)
      largest = std::max(largest, ratio_of(calibration_.consistency[k](j), before.consistency[k](j)));
  return largest - 1.0;
}

// sigma_n^2 = (squared residuals) / (number of values - those that the traces and memberships took)
void Calibrator::estimate_frame(const Statistics& statistics, const State& state) {
  const ChannelResiduals left = channel_residuals(data_, design_, state, statistics, threads_);
  const Index N = data_.n_channels();
  const Frame before = data_.frame();
  estimate_inflation(left.lags, state);
  Vector taken = Vector::Zero(N);  // by the traces: a' U a, and one per membership
  for (std::size_t l = 0; l < design_.labels.size(); ++l) {
    const Matrix A = loading(design_, state.components, l);
    taken += (A * per_noise_[l]).cwiseProduct(A).rowwise().sum();
  }
  for (const std::vector<Matrix>& variants : state.components)
    for (const Matrix& variant : variants)
      taken.array() += (variant.array() != 0).rowwise().count().cast<double>();
  const ChannelSums& stored = data_.channel_sums();
  Frame frame = before;
  if (has_offset(options_) && frame.offset.size() == 0) frame.offset.setZero(N);
  Vector variance(N);  // in the frame before
  double all_squares = 0, all_left = 0, squares_left = 0;
  for (Index n = 0; n < N; ++n) {
    const double count = std::max(left.count(n), 1.0);
    const double mean = has_offset(options_) ? left.sum(n) / count : 0.0;
    squares_left += std::max(0.0, left.squares(n) - mean * mean * count);
    // Where traces may not be negative, what a fit that has just begun does not describe is no baseline.
    const bool is_early = is_nonnegative_ && !is_estimated_;
    const double shift = is_early ? 0.0 : mean;
    const double squares = std::max(0.0, left.squares(n) - shift * shift * count);
    const double freedom = std::max(0.1 * count, count - taken(n));
    if (frame.offset.size() > 0) frame.offset(n) += shift / before.weight_of(n);
    const double clipped = is_robust() ? squares / kVarianceWithinHuber : squares;
    variance(n) = clipped / freedom;
    all_squares += clipped;
    all_left += freedom;
  }
  share_left_ = data_.variation() > 0 ? squares_left / data_.variation() : 0.0;
  // Where traces may not be negative, data without a baseline should have none.
  for (Index n = 0; n < frame.offset.size() && is_nonnegative_; ++n) {
    const double mean = stored.sum(n) / std::max(stored.count(n), 1.0);
    const double deviation =
        std::sqrt(std::max(0.0, stored.squares(n) / std::max(stored.count(n), 1.0) - mean * mean));
    if (std::abs(frame.offset(n)) < kLeastOffset * deviation) frame.offset(n) = 0.0;
  }
  if ((frame.offset.array() == 0.0).all()) frame.offset.resize(0);
  const double mean_variance = all_left > 0 ? all_squares / all_left : 0.0;
  calibration_.noise = mean_variance;
  // Of data that never change there is nothing to measure the noise against.
  if (has_noise_levels(options_) && mean_variance > 0 && data_.variation() > 0) {
    double log_sum = 0, n_channels = 0;
    Vector level(N), of_data(N);
    std::vector<double> shares;
    for (Index n = 0; n < N; ++n) {
      const double count = std::max(stored.count(n), 1.0);
      level(n) = variance(n) / std::pow(before.weight_of(n), 2);
      of_data(n) = std::max(0.0, stored.squares(n) / count - std::pow(stored.sum(n) / count, 2));
      if (of_data(n) > 0) shares.push_back(level(n) / of_data(n));
    }
    const double typical = shares.empty() ? 1.0 : percentile(shares, 0.5);
    for (Index n = 0; n < N; ++n) {
      const double least =
          std::max(kLeastShareOfNoise * typical * of_data(n), kLeastShareOfVariance * of_data.mean());
      level(n) = std::sqrt(std::max(level(n), least));
      if (stored.count(n) > 1) log_sum += std::log(level(n)), n_channels += 1;
    }
    const double unit = n_channels > 0 ? std::exp(log_sum / n_channels) : 1.0;
    frame.weight = unit / level.array();
    calibration_.noise = unit * unit;
  }
  data_.set_frame(frame);
}

void Calibrator::estimate_inflation(const Vector& residual_lags, const State& state) {
  const Index P = design_.n_components();
  Matrix lags = Matrix::Zero(kLags, P);
  for (std::size_t m = 0; m < state.traces.size(); ++m)
    for (Index j = 0; j < P && has_measured_lags(m, state.traces.size()); ++j)
      lags.col(j) += lagged_products(state.traces[m].col(j).transpose());
  inflation_.setOnes(P);
  residual_.setZero(3);
  if (residual_lags(0) > 0)
    residual_ = (residual_lags.head(3) / residual_lags(0)).cwiseMax(0.0).cwiseMin(0.99);
  if (!(residual_lags(0) > 0)) return;
  for (Index j = 0; j < P; ++j) {
    if (!(lags(0, j) > 0)) continue;
    double sum = 0;
    for (Index h = 1; h < kLags; ++h) {
      const double residual = residual_lags(h) / residual_lags(0);
      if (!(residual > 0)) break;  // beyond that there is only noise
      sum += residual * lags(h, j) / lags(0, j);
    }
    inflation_(j) = std::max(1.0, 1.0 + 2.0 * sum);
  }
}

bool Calibrator::leaves_little() const {
  constexpr double kLittle = 0.03;
  const auto N = static_cast<double>(data_.n_channels()), P = static_cast<double>(design_.n_components());
  return N > P && share_left_ * N / (N - P) < kLittle;  // P of N directions were fitted
}

bool Calibrator::choose_members(State& state) {
  const bool is_first = !calibration_.keeps_members;
  calibration_.keeps_members = true;
  const bool has_changed = milcci::choose_members(
      design_, membership_errors(design_, state, calibration_, inflation_), state.components);
  if (has_changed) normalise(design_, Scale::length_one, state);
  return has_changed || is_first;
}

bool Calibrator::drop_noise(State& state) {
  if (signal_.size() == 0) return false;
  double n_times = 0;
  for (const Matrix& phi : state.traces) n_times += static_cast<double>(phi.rows());
  const std::vector<Matrix> energy = energies_of_options(design_, state);
  std::size_t category = 0;
  Index weakest = -1;  // in its category
  double least = 1.0;
  for (std::size_t k = 0; k < design_.n_categories(); ++k)
    for (Index p = 0; p < design_.n_components(k); ++p) {
      const Index j = design_.first[k] + p;
      if (!(error_(j) > 0) || !(energy[k].row(p).sum() > 0)) continue;  // dead
      double n_variants = 1.0;                                          // that are free to follow the noise
      for (int i = 0; i < design_.n_options(k); ++i) {
        const double pull = calibration_.consistency[k](p) * design_.ties[k].sum(i), own = energy[k](p, i);
        if (i > 0 && own > 0) n_variants += own / (own + pull);
      }
      const double x =
          static_cast<double>(data_.n_channels()) * n_variants * inflation_(j) / (n_times * error_(j));
      const double of_noise = error_(j) * (2.0 * std::sqrt(x) + x);
      const double ratio =
          is_one_channel(state.components[k], p) ? 0.0 : signal_(j) / (kAboveNoise * of_noise);
      if (ratio < least) least = ratio, category = k, weakest = p;
    }
  if (weakest < 0) return false;
  for (Matrix& variant : state.components[category]) variant.col(weakest).setZero();
  for (Matrix& phi : state.traces) phi.col(design_.first[category] + weakest).setZero();
  is_noise_[static_cast<std::size_t>(design_.first[category] + weakest)] = true;
  update_uncertainty(state);
  return true;
}

void Calibrator::estimate_traces(const State& state) {
  const Index P = design_.n_components();
  const TraceMoments sums = trace_moments(data_, state, P);
  const Penalties weights = trace_weights();
  Vector variance = Vector::Zero(P);  // of the error of a trace, summed over its time points, over sigma^2
  for (const Matrix& V : per_noise_) variance += V.diagonal();
  // Traces that cancel each other are large and ask for a small ridge. The more noise there is, the less of
  // that is believed.
  const bool may_cancel = options_.nonnegative != NonNegative::both && P > 1;
  const double share =
      data_.variation() > 0 ? calibration_.noise * data_.channel_sums().count.sum() / data_.variation() : 0.0;
  const double least_ridge = fixed_ridge(options_) + (may_cancel ? kCancelling * std::min(share, 1.0) : 0.0);
  const bool has_given_smoothness = options_.smoothness || options_.gamma3;
  calibration_.ridge.resize(P);
  calibration_.smoothness.resize(P);
  signal_.setZero(P);
  error_.setZero(P);
  const double noise = calibration_.noise;
  // What never changes is a baseline, and no component that stands out of the noise.
  const Vector of_means =
      has_offset(options_) ? energy_of_means(design_, state, sums.n) : Vector(Vector::Zero(P));
  for (Index j = 0; j < P; ++j) {
    TraceWeights found{kMostRidge, 0.0};
    if (noise > 0 && sums.squares(j) > 0) {
      // Estimates that were shrunk by the right weights lack their error, those that were not have it twice.
      const bool is_first = !is_estimated_ && !has_given_smoothness;
      const double sign = is_estimated_ ? 1.0 : -1.0, expected = variance(j) / sums.n;
      const double error = is_first ? measured_error(sums, j, noise, expected, residual_) : expected;
      const double lag1 = std::max(residual_(1), lag1_of_error(1.0 + weights.ridge(j), weights.gamma3(j)));
      const double e0 = std::max(kLeastSignal * error, sums.squares(j) / noise / sums.n + sign * error);
      const double e1 = sums.n_steps > 0
                            ? std::max(kLeastSignal * error, sums.steps(j) / noise / sums.n_steps +
                                                                 sign * 2.0 * (1.0 - lag1) * error)
                            : 2.0 * e0;
      // A trace that is mostly its mean is hardly shrunk, and has its error in it.
      const double about_mean = (sums.squares(j) - of_means(j)) / noise / sums.n;
      signal_(j) =
          of_means(j) > 0.5 * sums.squares(j) ? std::max(kLeastSignal * error, about_mean - error) : e0;
      error_(j) = (1.0 + weights.ridge(j)) * error;
      found = has_given_smoothness ? TraceWeights{ridge_of(e0, weights.gamma3(j)), weights.gamma3(j)}
                                   : against_smooth_noise(weights_of(e0, e1), residual_(1));
    }
    if (!(noise > 0)) found = {least_ridge, 0.0};
    // Down slowly: a ridge that falls faster than the components settle lets them cancel each other.
    const double lowest = may_cancel ? std::max(least_ridge, kSlowly * weights.ridge(j)) : least_ridge;
    calibration_.ridge(j) = std::clamp(found.ridge, lowest, kMostRidge);
    calibration_.smoothness(j) = std::clamp(found.smoothness, 0.0, kMostSmoothness);
  }
}

void Calibrator::estimate_consistency(const State& state) {
  const PenaltyValues values = penalty_values_of(design_, state.components, threads_);
  const std::vector<Matrix> energy = energies_of_options(design_, state);
  std::vector<Vector> found;
  for (std::size_t k = 0; k < design_.n_categories(); ++k) {
    const Index p = design_.n_components(k);
    const int n_options = design_.n_options(k);
    double distance = 0, freedom = 0;  // of what the data tell of the differences between variants
    for (Index j = 0; j < p; ++j) {
      Vector evidence = energy[k].row(j).transpose();
      for (std::size_t l = 0; l < design_.labels.size(); ++l)
        evidence(design_.labels[l][k]) +=
            calibration_.noise * per_noise_[l](design_.first[k] + j, design_.first[k] + j);
      if (!(evidence.minCoeff() > 0) || n_options < 2) continue;
      Eigen::Array<bool, Eigen::Dynamic, 1> is_member =
          Eigen::Array<bool, Eigen::Dynamic, 1>::Constant(data_.n_channels(), false);
      for (const Matrix& variant : state.components[k]) is_member = is_member || variant.col(j).array() != 0;
      const auto n_members = static_cast<double>(is_member.count());
      const double gamma = calibration_.consistency.empty()
                               ? options_.consistency.value_or(kDefaultConsistency) * evidence.mean()
                               : calibration_.consistency[k](j);
      distance += 0.5 * values.distances[k].row(j).sum();
      freedom += n_members *
                 std::max(0.0, n_options - 1 - gamma * expected_distance(design_.ties[k], evidence, gamma));
    }
    Vector gamma2(p);
    for (Index j = 0; j < p; ++j) {
      const double mean = energy[k].row(j).mean();
      const double noise = kCaution * inflation_(design_.first[k] + j) * calibration_.noise;
      const double estimate = distance > 0 ? noise * freedom / distance : kMostConsistency * mean;
      gamma2(j) = std::clamp(estimate, kDefaultConsistency * mean, kMostConsistency * mean);
    }
    found.push_back(gamma2);
  }
  calibration_.consistency = std::move(found);
}

}  // namespace milcci
