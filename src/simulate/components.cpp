// Components of simulated trials: memberships that change with the options of their category.
//
// Every channel has a latent standard normal value per option, correlated between options as their category's
// label graph ties them. Its rank, laid on [0.5, 1], is the membership; then the smallest `zero_share` of all
// memberships of the component, over its variants together, are cut to zero (the paper's 60th percentile).
// Where the latent value of a channel crosses the cut between two options, the channel joins or leaves: the
// support shifts along with the values.
//
// How different variants are is one number, the latent correlation of the options farthest apart. Pearson
// correlations of the cut memberships are lower than latent ones: 0.92 gives 0.77 between the extreme options
// (0.95 between neighbours among five) with 85 % of the support in common, visibly different yet recognisably
// one component. With 0.98 variants are hard to tell apart (0.89); with 0.8 a quarter of the support changes
// (0.62) and the categories' order hardly shows.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "simulate/stages.hpp"

namespace milcci::simulation {
namespace {

constexpr double kExtremeCorrelation = 0.92;
constexpr double kSmallestMembership = 0.5;

// Options at equal steps on s in [-1/2, 1/2], latent correlation exp(-(s - s')^2 / (2 w^2)), which reaches
// kExtremeCorrelation at distance one. The kernel's own power series is a factorisation of it,
//   exp(-(s - s')^2 / (2 w^2)) = sum_q f_q(s) f_q(s'),   f_q(s) = exp(-s^2 / (2 w^2)) (s / w)^q / sqrt(q!),
// exact to 1e-10 after ten terms because |s / w| <= 0.21; so drawing costs the same for two options or a
// thousand trials.
Matrix draw_ordered(Index n_channels, Index n_options, Random& random) {
  constexpr Index kTerms = 10;
  const double inverse_width = std::sqrt(-2.0 * std::log(kExtremeCorrelation));
  Matrix factor(kTerms, n_options);
  for (Index i = 0; i < n_options; ++i) {
    const double s = n_options > 1 ? static_cast<double>(i) / static_cast<double>(n_options - 1) - 0.5 : 0.0;
    double term = std::exp(-0.5 * s * s * inverse_width * inverse_width);
    for (Index q = 0; q < kTerms; ++q) {
      factor(q, i) = term;
      term *= s * inverse_width / std::sqrt(static_cast<double>(q + 1));
    }
  }
  return random.normal(n_channels, kTerms) * factor;
}

// Any two options equally alike.
Matrix draw_exchangeable(Index n_channels, Index n_options, Random& random) {
  const Vector common = random.normal(n_channels, 1);
  return std::sqrt(kExtremeCorrelation) * common.replicate(1, n_options) +
         std::sqrt(1.0 - kExtremeCorrelation) * random.normal(n_channels, n_options);
}

Matrix draw_latent(const SimulateOptions& options, CategoryKind kind, Index n_options, Random& random) {
  if (options.variation == Variation::independent || kind == CategoryKind::free)
    return random.normal(options.n_channels, n_options);
  if (kind == CategoryKind::categorical) return draw_exchangeable(options.n_channels, n_options, random);
  return draw_ordered(options.n_channels, n_options, random);
}

// Cuts the smallest magnitudes to zero, but leaves every variant its largest: no variant is dead.
void cut_smallest(Matrix& memberships, double zero_share) {
  const Index n_zero = std::lround(zero_share * static_cast<double>(memberships.size()));
  std::vector<Index> order(static_cast<std::size_t>(memberships.size()));
  std::iota(order.begin(), order.end(), Index{0});
  const Matrix magnitude = memberships.cwiseAbs();
  std::nth_element(order.begin(), order.begin() + std::min<Index>(n_zero, magnitude.size() - 1), order.end(),
                   [&](Index a, Index b) { return magnitude.data()[a] < magnitude.data()[b]; });
  const Matrix before = memberships;
  for (Index n = 0; n < n_zero; ++n) memberships.data()[order[static_cast<std::size_t>(n)]] = 0.0;
  for (Index i = 0; i < memberships.cols(); ++i) {
    Index largest = 0;
    magnitude.col(i).maxCoeff(&largest);
    memberships(largest, i) = before(largest, i);
  }
}

// N x n_options: the variants of one component.
Matrix draw_component(const SimulateOptions& options, CategoryKind kind, Index n_options, Random random) {
  const Matrix latent = draw_latent(options, kind, n_options, random);
  Matrix memberships = latent.unaryExpr([](double z) {
    const double rank = 0.5 * std::erfc(-z / std::numbers::sqrt2);
    return kSmallestMembership + (1.0 - kSmallestMembership) * rank;
  });
  if (options.is_signed) {
    // A channel keeps its sign over the options unless its variants are drawn independently.
    const bool keeps_sign = options.variation == Variation::smooth && kind != CategoryKind::free;
    for (Index n = 0; n < memberships.rows(); ++n) {
      double sign = 1.0;
      for (Index i = 0; i < n_options; ++i) {
        if (i == 0 || !keeps_sign) sign = random.uniform() < 0.5 ? -1.0 : 1.0;
        memberships(n, i) *= sign;
      }
    }
  }
  cut_smallest(memberships, options.zero_share);
  return memberships;
}

}  // namespace

std::vector<CategoryComponents> draw_components(const SimulateOptions& options,
                                                const std::vector<CategoryLabels>& labels) {
  std::vector<CategoryComponents> components;
  std::uint64_t position = 0;
  for (std::size_t k = 0; k < labels.size(); ++k) {
    const SimulatedCategory& category = options.categories[k];
    const std::size_t n_options = labels[k].options.size();
    CategoryComponents drawn{
        category.name, labels[k].options,
        std::vector<Matrix>(n_options, Matrix(options.n_channels, category.n_components))};
    for (Index j = 0; j < category.n_components; ++j, ++position) {
      const Matrix component = draw_component(options, category.kind, static_cast<Index>(n_options),
                                              random_for(options.seed, Stream::components, position));
      for (std::size_t i = 0; i < n_options; ++i)
        drawn.variants[i].col(j) = component.col(static_cast<Index>(i));
    }
    components.push_back(std::move(drawn));
  }
  return components;
}

}  // namespace milcci::simulation
