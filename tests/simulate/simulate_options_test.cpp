// What a simulation refuses, and how categories are written as text.
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "milcci/error.hpp"
#include "milcci/simulate.hpp"

namespace milcci {
namespace {

TEST(SimulatedCategory, IsReadFromText) {
  const SimulatedCategory plain = parse_simulated_category("choice=3:2");
  EXPECT_EQ(plain.name, "choice");
  EXPECT_EQ(plain.n_components, 3);
  EXPECT_EQ(plain.n_options, 2);
  EXPECT_EQ(plain.kind, CategoryKind::categorical);
  EXPECT_EQ(parse_simulated_category("difficulty=2:5:ordinal").kind, CategoryKind::ordinal);
  EXPECT_EQ(parse_simulated_category("animal=2:5:free").kind, CategoryKind::free);
  EXPECT_EQ(parse_simulated_category("all=2:1:fixed").kind, CategoryKind::fixed);
  EXPECT_EQ(parse_simulated_category("all=2:fixed").kind, CategoryKind::fixed);
  EXPECT_EQ(parse_simulated_category("drift=2:trial_number").kind, CategoryKind::trial_number);
  EXPECT_EQ(parse_simulated_category("drift=2:trial-number").kind, CategoryKind::trial_number);
}

TEST(SimulatedCategory, RefusesWrongTextAndQuotesIt) {
  for (const char* text :
       {"", "choice", "=2:2", "choice=", "choice=2", "choice=0:2", "choice=2:0", "choice=-1:2",
        "choice=two:2", "choice=2:x", "choice=2:2:odd", "choice=2:2:graph", "choice=2:2:ordinal:more",
        "choice=2:ordinal", "choice=2.5:2", "choice=2:2:", "choice=99999999999:2"}) {
    try {
      parse_simulated_category(text);
      FAIL() << "not refused: " << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::bad_option);
      EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
    }
  }
}

TEST(SimulateOptions, WrongValuesAreRefusedByName) {
  struct Case {
    const char* name;
    std::function<void(SimulateOptions&)> spoil;
  };
  const std::vector<Case> cases{
      {"n_channels", [](SimulateOptions& o) { o.n_channels = 0; }},
      {"n_trials", [](SimulateOptions& o) { o.n_trials = 4; }},
      {"min_length", [](SimulateOptions& o) { o.min_length = 0; }},
      {"min_length", [](SimulateOptions& o) { o.min_length = 501; }},
      {"min_length", [](SimulateOptions& o) { o.min_length = 1; }},
      {"zero_share", [](SimulateOptions& o) { o.zero_share = 1; }},
      {"zero_share", [](SimulateOptions& o) { o.zero_share = std::numeric_limits<double>::quiet_NaN(); }},
      {"amplitude_min", [](SimulateOptions& o) { o.amplitude_min = 2; }},
      {"amplitude_max", [](SimulateOptions& o) { o.amplitude_min = o.amplitude_max = 0; }},
      {"length_scale_min", [](SimulateOptions& o) { o.length_scale_min = 0; }},
      {"length_scale_min", [](SimulateOptions& o) { o.length_scale_min = 0.3; }},
      {"perturbation", [](SimulateOptions& o) { o.perturbation = -1; }},
      {"n_free_traces", [](SimulateOptions& o) { o.n_free_traces = 5; }},
      {"noise", [](SimulateOptions& o) { o.noise = -0.1; }},
      {"missing", [](SimulateOptions& o) { o.missing = 1; }},
      {"baseline", [](SimulateOptions& o) { o.baseline = -1; }},
      {"outliers", [](SimulateOptions& o) { o.outliers = 1.5; }},
      {"outlier_size", [](SimulateOptions& o) { o.outlier_size = 0; }},
      {"counts", [](SimulateOptions& o) { o.counts = -1; }},
      {"counts", [](SimulateOptions& o) { o.counts = 1, o.is_signed = true; }},
      {"counts", [](SimulateOptions& o) { o.counts = 1, o.shift = Shift::none; }},
      {"noise", [](SimulateOptions& o) { o.counts = 1, o.noise = 0.1; }},
      {"noise_spread", [](SimulateOptions& o) { o.noise = 1, o.noise_spread = -1; }},
      {"noise_spread", [](SimulateOptions& o) { o.noise_spread = 1; }},
      {"noise_smoothing", [](SimulateOptions& o) { o.noise_smoothing = 3; }},
      {"pure_noise", [](SimulateOptions& o) { o.pure_noise = true; }},
      {"imbalance", [](SimulateOptions& o) { o.imbalance = -1; }},
      {"n_empty_cells", [](SimulateOptions& o) { o.n_empty_cells = 6; }},
      {"category", [](SimulateOptions& o) { o.categories.clear(); }},
      {"twice", [](SimulateOptions& o) { o.categories[1].name = "difficulty"; }},
      {"name", [](SimulateOptions& o) { o.categories[0].name = ""; }},
      {"n_components", [](SimulateOptions& o) { o.categories[0].n_components = 0; }},
      {"n_options", [](SimulateOptions& o) { o.categories[0].n_options = 0; }},
      {"graph", [](SimulateOptions& o) { o.categories[0].kind = CategoryKind::graph; }},
      {"option_names", [](SimulateOptions& o) { o.categories[1].option_names = {"left"}; }},
      {"option_names",
       [](SimulateOptions& o) {
         o.categories[1].option_names = {"left", "left"};
       }},
      {"option_names",
       [](SimulateOptions& o) {
         o.categories[0].option_names = {"1", "2", "3", "4", "5"};
       }},
      {"combinations",
       [](SimulateOptions& o) {
         o.categories = {{"a", 1, 2000}, {"b", 1, 2000}};
         o.n_trials = 2000;
       }},
  };
  for (const Case& c : cases) {
    SimulateOptions options;
    c.spoil(options);
    const auto problems = violations(options);
    ASSERT_EQ(problems.size(), 1u) << c.name << (problems.empty() ? "" : ": " + problems.back());
    EXPECT_NE(problems[0].find(c.name), std::string::npos) << problems[0];
    try {
      simulate(options);
      FAIL() << "not refused: " << c.name;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::bad_option);
      EXPECT_NE(std::string(error.what()).find(problems[0]), std::string::npos);
    }
  }
}

TEST(SimulateOptions, AllProblemsAreToldAtOnce) {
  SimulateOptions options;
  options.noise = -1;
  options.missing = 2;
  EXPECT_EQ(violations(options).size(), 2u);
}

TEST(SimulateOptions, EnumerationsHaveAName) {
  EXPECT_EQ(to_text(Shift::none), "none");
  EXPECT_EQ(to_text(MissingPattern::blocks), "blocks");
  EXPECT_EQ(to_text(Variation::independent), "independent");
}

}  // namespace
}  // namespace milcci
