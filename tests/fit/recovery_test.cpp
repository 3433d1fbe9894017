// Recovery of known truth at default settings. Seeds 0 to 4; those used to judge the method are others.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "milcci/evaluate.hpp"
#include "milcci/fit.hpp"
#include "milcci/simulate.hpp"
#include "support/simulated_fit.hpp"

namespace milcci {
namespace {

using testing::options_for;

FitResult fit_simulated(const SimulateOptions& simulated, const Trials& trials) {
  return fit(trials, options_for(simulated));
}

bool fights_the_data(const FitSummary& summary) {
  return std::any_of(summary.warnings.begin(), summary.warnings.end(), [](const std::string& warning) {
    return warning.find("consistency penalty fights the data") != std::string::npos;
  });
}

class PaperData : public ::testing::TestWithParam<int> {};

TEST_P(PaperData, ComponentsTracesAndCategoriesAreFound) {
  SimulateOptions simulated = preset("paper");
  simulated.seed = static_cast<std::uint64_t>(GetParam());
  const Trials trials = simulate(simulated);
  const FitResult result = fit_simulated(simulated, trials);
  const Evaluation evaluation = evaluate(result.model, trials);
  EXPECT_GE(evaluation.truth->component_correlation.mean, 0.99);
  EXPECT_GE(evaluation.truth->trace_correlation.mean, 0.995);
  EXPECT_TRUE(evaluation.truth->same_category);
  EXPECT_GE(evaluation.r2, 0.999);
  EXPECT_GT(result.summary.firmness().minCoeff(), 1.5);
  EXPECT_GT(result.summary.stability.minCoeff(), 0.5);
  EXPECT_FALSE(fights_the_data(result.summary));
}
INSTANTIATE_TEST_SUITE_P(Seeds, PaperData, ::testing::Range(0, 5));

struct Case {
  const char* name;
  double bar;  // of the components and of the traces
  void (*change)(SimulateOptions&);
};
void PrintTo(const Case& c, std::ostream* out) {
  *out << c.name;
}

class HarderData : public ::testing::TestWithParam<Case> {};

TEST_P(HarderData, ComponentsAndTracesAreFound) {
  SimulateOptions simulated = preset("paper");
  simulated.seed = 3;
  GetParam().change(simulated);
  const Trials trials = simulate(simulated);
  const Evaluation evaluation = evaluate(fit_simulated(simulated, trials).model, trials);
  EXPECT_GE(evaluation.truth->component_correlation.mean, GetParam().bar);
  EXPECT_GE(evaluation.truth->trace_correlation.mean, GetParam().bar);
}
INSTANTIATE_TEST_SUITE_P(
    Cases, HarderData,
    ::testing::Values(Case{"Noise", 0.98, [](SimulateOptions& o) { o.noise = 0.1; }},
                      Case{"Missing", 0.98, [](SimulateOptions& o) { o.missing = 0.2; }},
                      Case{"UnequalLengths", 0.98, [](SimulateOptions& o) { o.min_length = 100; }},
                      Case{"FortyTrials", 0.95, [](SimulateOptions& o) { o.n_trials = 40; }},
                      Case{"ShiftedComponents", 0.95, [](SimulateOptions& o) { o.shift = Shift::component; }},
                      Case{"Signed", 0.95, [](SimulateOptions& o) { o.is_signed = true; }},
                      Case{"TwelveComponents", 0.95,
                           [](SimulateOptions& o) {
                             o.categories = {{"a", 4, 5, CategoryKind::ordinal},
                                             {"b", 4, 3, CategoryKind::categorical},
                                             {"c", 4, 2, CategoryKind::categorical}};
                             o.n_channels = 120;
                             o.n_trials = 400;
                             o.seed = 4;
                           }}),
    [](const auto& info) { return info.param.name; });

// Without signs the surplus would cancel real components at any height, but for the ridge.
TEST(Surplus, ComponentsEndDeadInsteadOfSplittingRealOnes) {
  const std::pair<NonNegative, int> cases[] = {
      {NonNegative::both, 3}, {NonNegative::none, 3}, {NonNegative::none, 4}, {NonNegative::none, 5}};
  for (const auto& [sign, seed] : cases) {
    SCOPED_TRACE(seed);
    SimulateOptions simulated = preset("paper");
    simulated.seed = static_cast<std::uint64_t>(seed);
    const Trials trials = simulate(simulated);
    FitOptions options = options_for(simulated);
    options.nonnegative = sign;
    for (CategorySpec& spec : options.categories) spec.n_components *= 2;
    const Model model = fit(trials, options).model;
    EXPECT_GE(evaluate(model, trials).truth->component_correlation.mean, 0.95);
    EXPECT_EQ(model.dead_components().size(), 4u);
  }
}

TEST(IndependentVariants, AreWarnedOfUnlessTheCategoryIsFree) {
  SimulateOptions simulated = preset("paper");
  simulated.seed = 3;
  simulated.noise = 0.1;
  simulated.variation = Variation::independent;
  const Trials trials = simulate(simulated);
  EXPECT_TRUE(fights_the_data(fit_simulated(simulated, trials).summary));
  for (SimulatedCategory& c : simulated.categories) c.kind = CategoryKind::free;
  EXPECT_FALSE(fights_the_data(fit_simulated(simulated, trials).summary));
}

// Nothing ties the variants of a free category: its components may change places from option to option.
TEST(FreeCategories, AreFoundWhenVariantsAreIndependent) {
  for (const std::uint64_t seed : {0u, 2u}) {
    SimulateOptions simulated = preset("paper");
    simulated.variation = Variation::independent;
    simulated.noise = 0.1;
    simulated.seed = seed;
    const Trials trials = simulate(simulated);
    FitOptions options = options_for(simulated);
    for (CategorySpec& spec : options.categories) spec.kind = CategoryKind::free;
    const Evaluation evaluation = evaluate(fit(trials, options).model, trials);
    EXPECT_GE(evaluation.truth->component_correlation.mean, 0.95);
    EXPECT_GE(evaluation.truth->trace_correlation.mean, 0.95);
    EXPECT_TRUE(evaluation.truth->same_category);
  }
}

double mean_cosine(const Model& model) {
  double sum = 0;
  for (const Matrix& phi : model.traces) {
    const Matrix unit = phi.rowwise().normalized();
    const auto P = static_cast<double>(phi.rows());
    sum += ((unit * unit.transpose()).cwiseAbs().sum() - P) / (P * (P - 1.0));
  }
  return sum / static_cast<double>(model.traces.size());
}

// Every pair of true traces with a cosine of 0.5: a half of its own and a half of a common one. Without
// noise.
void correlate_traces(Trials& trials) {
  for (std::size_t m = 0; m < trials.n_trials(); ++m) {
    Matrix& phi = trials.truth->traces[m];
    const Index P = phi.rows(), T = phi.cols();
    const Matrix A = phi.transpose().colPivHouseholderQr().solve(trials.values[m].transpose()).transpose();
    Matrix basis(T, P + 1);
    basis << phi.transpose(), Vector::LinSpaced(T, 0.0, 20.0).array().sin().matrix();
    const Matrix Q = basis.householderQr().householderQ() * Matrix::Identity(T, P + 1);
    const Vector length = phi.rowwise().norm();
    phi = length.asDiagonal() * ((Q.leftCols(P).colwise() + Q.col(P)) / std::sqrt(2.0)).transpose();
    trials.values[m] = A * phi;
  }
}

// A preference, not a wall: correlations fall, the components stay.
TEST(Decorrelation, LowersCorrelationsAndKeepsTheComponents) {
  for (const bool is_signed : {false, true}) {
    SimulateOptions simulated = preset("paper");
    simulated.is_signed = is_signed;
    simulated.seed = 3;
    Trials trials = simulate(simulated);
    if (is_signed) correlate_traces(trials);
    FitOptions options = options_for(simulated);
    const FitResult plain = fit(trials, options);
    options.decorrelation = 0.01;
    const FitResult decorrelated = fit(trials, options);
    const Evaluation before = evaluate(plain.model, trials), after = evaluate(decorrelated.model, trials);
    // Where true traces of free sign are alike, components that turn would be the price: they stay instead.
    const double fall = mean_cosine(plain.model) - mean_cosine(decorrelated.model);
    EXPECT_GT(fall, is_signed ? -0.01 : 0.01);
    EXPECT_GE(after.truth->component_correlation.mean, 0.99);
    EXPECT_GE(after.truth->component_correlation.mean, before.truth->component_correlation.mean - 0.01);
    EXPECT_GE(after.r2, before.r2 - 0.01);
  }
}

}  // namespace
}  // namespace milcci
