#include "compare/own_degrees_of_freedom.hpp"

#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "baselines/trace_solver.hpp"
#include "data/trial_data.hpp"
#include "loop/calibration.hpp"
#include "loop/penalties.hpp"
#include "util/columns.hpp"

namespace milcci {
namespace {

// Memberships of variants that some trial chose, less the scale of each.
double count_memberships(const Model& model) {
  double count = 0;
  for (const FittedCategory& fitted : model.categories) {
    const std::set<int> chosen(fitted.category.option_of_trial.begin(),
                               fitted.category.option_of_trial.end());
    for (const int option : chosen) {
      const Matrix& variant = fitted.variants[static_cast<std::size_t>(option)];
      for (Index j = 0; j < variant.cols(); ++j) {
        const auto n = static_cast<double>((variant.col(j).array() != 0).count());
        if (n > 0) count += n - 1;
      }
    }
  }
  return count;
}

// The loading as the penalties see it: channels in units of their noise, components of length one.
struct Loading {
  Matrix A;
  Vector length;  // that was divided by; 0 = dead
};

Loading framed_loading(const Model& model, std::size_t m) {
  Loading found{model.loading(m), {}};
  const Frame frame = frame_of(model.noise);
  if (frame.weight.size() > 0) found.A.array().colwise() *= frame.weight.array();
  found.length = found.A.colwise().norm().transpose();
  normalise_columns(found.A);
  return found;
}

// The Hessian of one trial's traces: H_t and K_tt of every time point, and K_t,t-1.
struct Chain {
  std::vector<Matrix> H, K, before;  // `before` is empty without a prior over time
};

// tr K^-1 H. With S_t = K_tt - K_t,t-1 S_t-1^-1 K_t-1,t, the blocks of K^-1 on its diagonal are
//   C_T = S_T^-1,   C_t = S_t^-1 + S_t^-1 K_t,t+1 C_t+1 K_t+1,t S_t^-1
double trace_of_hat(const Chain& chain) {
  std::vector<Matrix> inverse(chain.K.size());
  for (std::size_t t = 0; t < inverse.size(); ++t) {
    Matrix S = chain.K[t];
    if (t > 0 && !chain.before.empty()) S -= chain.before[t] * inverse[t - 1] * chain.before[t].transpose();
    inverse[t] = baselines::inverse_of_gram(S);
  }
  double sum = 0;
  Matrix C;
  for (std::size_t t = inverse.size(); t-- > 0;) {
    const bool has_next = t + 1 < inverse.size() && !chain.before.empty();
    if (has_next) {
      const Matrix step = chain.before[t + 1] * inverse[t];
      C = (inverse[t] + step.transpose() * C * step).eval();
    } else {
      C = inverse[t];
    }
    sum += C.cwiseProduct(chain.H[t]).sum();
  }
  return sum;
}

// Takes a trace that is held at zero out of the problem of time point t.
void hold(Chain& chain, std::size_t t, Index j) {
  for (Matrix* block : {&chain.H[t], &chain.K[t]}) {
    block->row(j).setZero();
    block->col(j).setZero();
  }
  chain.K[t](j, j) = 1;
  if (chain.before.empty()) return;
  chain.before[t].row(j).setZero();
  if (t + 1 < chain.before.size()) chain.before[t + 1].col(j).setZero();
}

class TraceCounter {
 public:
  TraceCounter(const FitResult& fitted, const TrialData& data)
      : model_(fitted.model),
        data_(data),
        penalties_(trace_penalties(fitted.summary.options, data, fitted.model.n_components())),
        holds_zeros_(fitted.summary.options.nonnegative == NonNegative::traces ||
                     fitted.summary.options.nonnegative == NonNegative::both) {
    const std::optional<Calibration> calibration = calibration_of(model_.noise);
    calibrate_traces(calibration ? &*calibration : nullptr, fitted.summary.options, penalties_);
  }

  double count() const {
    std::map<std::pair<std::vector<int>, Index>, double> known;  // by label and length
    double sum = 0;
    for (std::size_t m = 0; m < model_.n_trials(); ++m) {
      if (!is_like_others(m)) {
        sum += trace_of_hat(chain_of(m));
        continue;
      }
      std::vector<int> label;
      for (const FittedCategory& fitted : model_.categories)
        label.push_back(fitted.category.option_of_trial[m]);
      const auto [entry, is_new] = known.try_emplace({label, model_.traces[m].cols()}, 0.0);
      if (is_new) entry->second = trace_of_hat(chain_of(m));
      sum += entry->second;
    }
    return sum;
  }

 private:
  // All trials of its label and length have the same Hessian.
  bool is_like_others(std::size_t m) const {
    return !holds_zeros_ && data_.gaps(m) == nullptr && data_.step_weights(m).size() == 0 &&
           model_.transitions.empty();
  }

  Chain chain_of(std::size_t m) const {
    const Loading loading = framed_loading(model_, m);
    Chain chain = points_of(m, loading.A);
    if (penalties_.gamma3.largest() > 0) add_steps(m, loading, chain);
    for (std::size_t t = 0; t < chain.H.size(); ++t)
      for (Index j = 0; j < loading.A.cols(); ++j) {
        const bool is_zero = holds_zeros_ && !(model_.traces[m](j, static_cast<Index>(t)) > 0);
        if (is_zero || !(loading.length(j) > 0)) hold(chain, t, j);
      }
    return chain;
  }

  Chain points_of(std::size_t m, const Matrix& A) const {
    const auto T = static_cast<std::size_t>(model_.traces[m].cols());
    const Matrix whole = A.transpose() * A;
    Chain chain{std::vector<Matrix>(T, whole), {}, {}};
    Vector of_run = Vector::Ones(A.rows());  // 1 for the channels that were observed
    Matrix H = whole;
    for (std::size_t t = 0; t < T && data_.gaps(m) != nullptr; ++t) {
      const Gaps& gaps = *data_.gaps(m);
      Vector is_observed = Vector::Ones(A.rows());
      for (int i = gaps.first[t]; i < gaps.first[t + 1]; ++i)
        is_observed(gaps.channel[static_cast<std::size_t>(i)]) = 0;
      if (is_observed != of_run) {
        of_run = is_observed;
        H = A.transpose() * of_run.asDiagonal() * A;
      }
      chain.H[t] = H;
    }
    chain.K = chain.H;
    for (std::size_t t = 0; t < T; ++t) {
      chain.K[t] += penalties_.missing * (whole - chain.H[t]);
      for (Index j = 0; j < whole.rows(); ++j) chain.K[t](j, j) += penalties_.ridge(j);
    }
    return chain;
  }

  // sum over steps of v ||phi_t - W phi_t-1||^2, weighted by gamma3 per component.
  void add_steps(std::size_t m, const Loading& loading, Chain& chain) const {
    const Index P = loading.A.cols();
    Matrix W = Matrix::Identity(P, P);
    if (!model_.transitions.empty()) {  // of traces of components at length one
      W = model_.transitions[m];
      for (Index i = 0; i < P; ++i)
        for (Index j = 0; j < P; ++j)
          W(i, j) *= loading.length(j) > 0 ? loading.length(i) / loading.length(j) : 0.0;
    }
    Vector gamma3(P);
    for (Index j = 0; j < P; ++j) gamma3(j) = penalties_.gamma3(j);
    const Vector& weights = data_.step_weights(m);
    const bool has_weights = weights.size() > 0 && model_.transitions.empty();
    chain.before.assign(chain.K.size(), Matrix::Zero(P, P));
    for (std::size_t t = 1; t < chain.K.size(); ++t) {
      const Vector weight = has_weights ? Vector(gamma3 * weights(static_cast<Index>(t) - 1)) : gamma3;
      chain.K[t] += weight.asDiagonal();
      chain.K[t - 1] += W.transpose() * weight.asDiagonal() * W;
      chain.before[t] = -(weight.asDiagonal() * W);
    }
  }

  const Model& model_;
  const TrialData& data_;
  Penalties penalties_;
  bool holds_zeros_;
};

}  // namespace

DegreesOfFreedom own_degrees_of_freedom(const FitResult& fitted, const TrialSource& trials) {
  const Model& model = fitted.model;
  const TrialData data(trials, model.transform, fitted.summary.options.precision);
  DegreesOfFreedom found;
  found.count = count_memberships(model) + TraceCounter(fitted, data).count();
  found.note =
      "non-zero memberships, less a scale per component and option, and what shrunken and smooth traces are "
      "worth";
  if (model.noise.offset.size() > 0) {
    found.count += static_cast<double>((data.channel_sums().count.array() > 0).count());
    found.note += ", and an offset per channel";
  }
  return found;
}

}  // namespace milcci
