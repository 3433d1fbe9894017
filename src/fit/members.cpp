#include "fit/members.hpp"

#include <algorithm>
#include <cmath>

namespace milcci {
namespace {

// How much more likely a member than a zero.
constexpr double kTimesMoreLikely = 0.3;
// No channel is called a member whose membership is less than this share of the mean one.
constexpr double kShareOfMean = 0.07;

// Of one component: memberships in standard errors, some of very many.
struct Distances {
  std::vector<double> z;
  double n_zero = 0;
};

Distances distances(const std::vector<Matrix>& variants, const Matrix& errors, Index j) {
  constexpr Index kEnough = 20'000;
  const Index n_channels = variants[0].rows(), n_all = n_channels * std::ssize(variants);
  const Index step = std::max<Index>(1, n_all / kEnough);
  Distances result;
  for (Index at = 0; at < n_all; at += step) {
    const Index option = at / n_channels;
    const double membership = variants[static_cast<std::size_t>(option)](at % n_channels, j);
    const double error = errors(j, option);
    if (membership == 0.0)
      result.n_zero += 1.0;
    else if (error > 0)
      result.z.push_back(membership / error);
  }
  return result;
}

// Of the members.
double mean_membership(const Eigen::Ref<const Vector>& memberships) {
  const auto n_members = static_cast<double>((memberships.array() != 0).count());
  return memberships.lpNorm<1>() / std::max(1.0, n_members);
}

bool cut_below(double smallest, Eigen::Ref<Vector> memberships) {
  bool has_changed = false;
  for (double& membership : memberships) {
    if (membership == 0.0 || std::abs(membership) >= smallest) continue;
    membership = 0.0;
    has_changed = true;
  }
  return has_changed;
}

}  // namespace

double least_distance(const std::vector<double>& z, double n_zero) {
  constexpr int kRounds = 100;
  if (z.empty()) return 0.0;
  double squares = 0;
  for (const double x : z) squares += x * x;
  const auto n = static_cast<double>(z.size());
  double p = 0.5, s2 = std::max(2.0, squares / n);
  for (int round = 0; round < kRounds; ++round) {
    const double log_odds = std::log(p / (1.0 - p)) + 0.5 * std::log(s2), slope = 0.5 * (1.0 - 1.0 / s2);
    double n_members = 0, squares_of_members = 0;
    for (const double x : z) {
      const double share = 1.0 / (1.0 + std::exp(log_odds - slope * x * x));
      n_members += share, squares_of_members += share * x * x;
    }
    const double p_before = p;
    p = std::clamp((n - n_members + n_zero) / (n + n_zero), 1e-6, 1.0 - 1e-6);
    if (n_members > 0) s2 = std::max(1.0 + 1e-6, squares_of_members / n_members);
    if (std::abs(p - p_before) < 1e-4) break;
  }
  const double odds = kTimesMoreLikely * p / (1.0 - p) * std::sqrt(s2);
  return odds > 1.0 ? std::sqrt(2.0 * std::log(odds) / (1.0 - 1.0 / s2)) : 0.0;
}

bool choose_members(const Design& design, const std::vector<Matrix>& errors, Components& components) {
  bool has_changed = false;
  for (std::size_t k = 0; k < design.n_categories(); ++k)
    for (Index j = 0; j < design.n_components(k); ++j) {
      const Distances found = distances(components[k], errors[k], j);
      const double least = least_distance(found.z, found.n_zero);
      for (std::size_t i = 0; i < components[k].size(); ++i) {
        auto memberships = components[k][i].col(j);
        const double smallest = std::max(least * errors[k](j, static_cast<Index>(i)),
                                         kShareOfMean * mean_membership(memberships));
        has_changed = cut_below(smallest, memberships) || has_changed;
      }
    }
  return has_changed;
}

void cut_small_memberships(Components& components) {
  for (std::vector<Matrix>& variants : components)
    for (Matrix& variant : variants)
      for (Index j = 0; j < variant.cols(); ++j)
        cut_below(kShareOfMean * mean_membership(variant.col(j)), variant.col(j));
}

}  // namespace milcci
