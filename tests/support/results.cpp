#include "support/results.hpp"

#include <cmath>
#include <cstring>
#include <limits>

namespace milcci::testing {

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Numbers with all their bits in use, the same on every machine.
Matrix awkward(Index rows, Index cols, double from) {
  Matrix m(rows, cols);
  for (Index i = 0; i < m.size(); ++i) m.data()[i] = std::sqrt(from + static_cast<double>(i)) / 3.0;
  return m;
}

std::vector<Matrix> traces_of(const std::vector<Matrix>& values, Index n_components) {
  std::vector<Matrix> traces;
  for (const Matrix& y : values)
    traces.push_back(awkward(n_components, y.cols(), static_cast<double>(traces.size())));
  return traces;
}

}  // namespace

FitSummary full_summary() {
  FitSummary s;
  s.reason = StopReason::interrupted;
  s.message = "Interrupted – \"by hand\"\nafter one iteration.";
  for (int i = 1; i <= 20; ++i)
    s.iterations.push_back({.iteration = i,
                            .stage = i / 7,
                            .objective = {1.0 / i, 0.1 * i, 1e-320, -0.0, 1e308, 3, 0.7, 0.3},
                            .r2 = 1 - 0.1 / i,
                            .relative_change = i == 1 ? kNan : 1.0 / (3 * i),
                            .component_change = i == 1 ? kNan : 0.3 / i,
                            .seconds = 0.1 * i});
  s.r2 = 1.0 - 1e-16;
  s.objective = {.fit = 1.0 / 3, .sparsity = 0.1, .smoothness = 1e-320, .ridge = 0.7};
  s.seconds_start = 0.1;
  s.seconds_traces = 0.2;
  s.seconds_components = 0.3;
  s.seconds_total = 0.1 + 0.2 + 0.3;
  s.candidates = {
      {.stream = 18446744073709551615ull, .round = 3, .objective = 0.1, .behind = 0.0, .similarity = 1.0},
      {.stream = 0, .round = 1, .objective = -1e300, .behind = 2.0 / 3, .similarity = 1.0 / 3}};
  s.category_gain = awkward(3, 2, 5);
  s.explained = awkward(3, 1, 9);
  s.stability = awkward(3, 1, 2);
  s.times_found = 4;
  s.certainty = {Certainty::firm, Certainty::unstable, Certainty::alternative};
  s.alternatives = {{.behind = 1.0 / 300, .similarity = Vector({{1.0 - 1e-16, 1.0 / 3, 0.9}})},
                    {.behind = -1e-17, .similarity = Vector({{0.95, 0.1, 0.7}})}};
  s.warnings = {"component 1 is dead", ""};
  s.options.categories = {
      {.name = "a/b %.", .n_components = 2, .kind = CategoryKind::ordinal, .bins = 5, .width = 0.1},
      {.name = "Größe", .n_components = 1}};
  s.options.gamma2 = 0.1;
  s.options.seed = 17999999999999999999ull;
  s.version = "0.1.0";
  s.data_fingerprint = "0123456789abcdef";
  s.fitted_fingerprint = "fedcba9876543210";
  return s;
}

Trials full_trials() {
  Trials trials;
  const Index lengths[] = {6, 1, 9, 4, 6};
  for (const Index n : lengths) trials.values.push_back(awkward(4, n, static_cast<double>(n)));
  trials.values[0](2, 3) = kNan;
  trials.values[2].row(1).setConstant(kNan);
  trials.values[3](0, 0) = -0.0;
  trials.channel_names = {"V1", "größe μ", "", "x/y"};
  trials.channel_groups = {"cortex", "", "Straße", "cortex"};
  for (const Index n : lengths) {
    Vector t(n);
    for (Index i = 0; i < n; ++i) t(i) = 0.1 * static_cast<double>(i) - 0.5;
    trials.times.push_back(t);
  }
  trials.labels = {
      {"choice", LabelColumn::Texts{"left", "", "rechts – ü", "left", " "}},
      {"a/b %.", LabelColumn::Integers{std::numeric_limits<std::int64_t>::min(), -1, 0, 1,
                                       std::numeric_limits<std::int64_t>::max()}},
      {"contrast", LabelColumn::Reals{0.1, kNan, 1e-310, -0.0, 1.0 / 3.0}},
      {".", LabelColumn::Integers{0, 1, 2, 3, 4}},
      {"trial", LabelColumn::Integers{4, 3, 2, 1, 0}},
  };
  trials.trial_names = {"1", "", "μ", "1", "a/b"};
  trials.history = {R"({"step": "read", "file": "ü.csv"})", "{}"};
  Truth truth;
  truth.categories = {{"a/b %.", {"1", "2", "3"}, {awkward(4, 2, 0), awkward(4, 2, 9), awkward(4, 2, 90)}},
                      {"choice", {"left"}, {awkward(4, 1, 7)}}};
  truth.traces = traces_of(trials.values, 3);
  for (std::size_t m = 0; m < trials.values.size(); ++m)
    truth.transitions.push_back(awkward(3, 3, static_cast<double>(m) + 0.5));
  truth.offset = awkward(4, 1, 20);
  truth.noise = awkward(4, 1, 21);
  trials.truth = truth;
  return trials;
}

FitResult full_result() {
  const Trials trials = full_trials();
  FitResult result;
  result.summary = full_summary();
  Model& model = result.model;
  model.channel_names = trials.channel_names;
  model.channel_groups = trials.channel_groups;
  model.times = trials.times;
  model.trial_names = trials.trial_names;
  model.labels = trials.labels;
  model.history = trials.history;
  model.traces = traces_of(trials.values, 3);
  FittedCategory first, second;
  first.category.spec = result.summary.options.categories[0];
  first.category.options = {"1", "2.5", "3"};
  first.category.option_values = awkward(3, 1, 1);
  first.category.bin_edges = {0.1, 1.0 / 3};
  first.category.option_of_trial = {0, 2, 1, 1, 0};
  first.category.graph = LabelGraph(awkward(3, 3, 2));
  first.variants = {awkward(4, 2, 0), awkward(4, 2, 9), awkward(4, 2, 90)};
  second.category.spec = result.summary.options.categories[1];
  second.category.options = {"", "ü"};
  second.category.option_of_trial = {0, 1, 1, 1, 0};
  second.category.graph = LabelGraph(awkward(2, 2, 3));
  second.variants = {awkward(4, 1, 3), Matrix::Zero(4, 1)};
  model.categories = {first, second};
  model.alternatives = {
      {{awkward(4, 2, 11), awkward(4, 2, 12), awkward(4, 2, 13)}, {awkward(4, 1, 14), awkward(4, 1, 15)}},
      {first.variants, {Matrix::Zero(4, 1), awkward(4, 1, 16)}}};
  model.noise = {.offset = awkward(4, 1, 21).col(0),
                 .level = awkward(4, 1, 22).col(0),
                 .unit = 1.0 / 7,
                 .ridge = awkward(3, 1, 23).col(0),
                 .smoothness = awkward(3, 1, 24).col(0),
                 .consistency = {awkward(2, 1, 25).col(0), awkward(1, 1, 26).col(0)},
                 .standard_errors = {{awkward(4, 2, 27), awkward(4, 2, 28), awkward(4, 2, 29)},
                                     {awkward(4, 1, 30), awkward(4, 1, 31)}}};
  for (std::size_t m = 0; m < model.traces.size(); ++m)
    model.transitions.push_back(awkward(3, 3, static_cast<double>(m)));
  return result;
}

bool same_bits(const Matrix& a, const Matrix& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         (a.size() == 0 ||
          std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(double)) == 0);
}

bool same_bits(const std::vector<Matrix>& a, const std::vector<Matrix>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!same_bits(a[i], b[i])) return false;
  return true;
}

namespace {

std::vector<Matrix> as_matrices(const std::vector<Vector>& vectors) {
  return {vectors.begin(), vectors.end()};
}

void expect_same(const CategorySpec& a, const CategorySpec& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(to_text(a), to_text(b));
  EXPECT_TRUE(same_bits(a.graph, b.graph));
  EXPECT_EQ(a.graph_options, b.graph_options);
}

void expect_same(const std::vector<LabelColumn>& a, const std::vector<LabelColumn>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t c = 0; c < a.size(); ++c) {
    EXPECT_EQ(a[c].name, b[c].name);
    if (const auto* reals = std::get_if<LabelColumn::Reals>(&a[c].values)) {
      const auto& others = std::get<LabelColumn::Reals>(b[c].values);
      ASSERT_EQ(reals->size(), others.size());
      EXPECT_EQ(std::memcmp(reals->data(), others.data(), reals->size() * sizeof(double)), 0);
    } else {
      EXPECT_EQ(a[c].values, b[c].values);
    }
  }
}

}  // namespace

void expect_same(const Trials& a, const Trials& b) {
  EXPECT_TRUE(same_bits(a.values, b.values));
  EXPECT_EQ(a.channel_names, b.channel_names);
  EXPECT_EQ(a.channel_groups, b.channel_groups);
  EXPECT_TRUE(same_bits(as_matrices(a.times), as_matrices(b.times)));
  EXPECT_EQ(a.trial_names, b.trial_names);
  EXPECT_EQ(a.history, b.history);
  expect_same(a.labels, b.labels);
  ASSERT_EQ(a.truth.has_value(), b.truth.has_value());
  if (!a.truth) return;
  EXPECT_TRUE(same_bits(a.truth->traces, b.truth->traces));
  EXPECT_TRUE(same_bits(a.truth->transitions, b.truth->transitions));
  EXPECT_TRUE(same_bits(a.truth->offset, b.truth->offset));
  EXPECT_TRUE(same_bits(a.truth->noise, b.truth->noise));
  ASSERT_EQ(a.truth->categories.size(), b.truth->categories.size());
  for (std::size_t k = 0; k < a.truth->categories.size(); ++k) {
    EXPECT_EQ(a.truth->categories[k].name, b.truth->categories[k].name);
    EXPECT_EQ(a.truth->categories[k].options, b.truth->categories[k].options);
    EXPECT_TRUE(same_bits(a.truth->categories[k].variants, b.truth->categories[k].variants));
  }
}

namespace {
Matrix terms_of(const Objective& o) {
  Matrix terms(1, 8);
  terms << o.fit, o.sparsity, o.consistency, o.smoothness, o.decorrelation, o.transition, o.ridge,
      o.uncertainty;
  return terms;
}
}  // namespace

void expect_same(const FitSummary& a, const FitSummary& b) {
  EXPECT_EQ(a.reason, b.reason);
  EXPECT_EQ(a.message, b.message);
  ASSERT_EQ(a.iterations.size(), b.iterations.size());
  for (std::size_t i = 0; i < a.iterations.size(); ++i) {
    const auto numbers = [](const IterationRecord& r) {
      Matrix m(1, 14);
      m << r.iteration, r.stage, terms_of(r.objective), r.r2, r.relative_change, r.component_change,
          r.seconds;
      return m;
    };
    EXPECT_TRUE(same_bits(numbers(a.iterations[i]), numbers(b.iterations[i]))) << i;
  }
  EXPECT_EQ(a.r2, b.r2);
  ASSERT_EQ(a.objective.has_value(), b.objective.has_value());
  if (a.objective) {
    EXPECT_TRUE(same_bits(terms_of(*a.objective), terms_of(*b.objective)));
  }
  EXPECT_EQ(a.seconds_start, b.seconds_start);
  EXPECT_EQ(a.seconds_traces, b.seconds_traces);
  EXPECT_EQ(a.seconds_components, b.seconds_components);
  EXPECT_EQ(a.seconds_total, b.seconds_total);
  ASSERT_EQ(a.candidates.size(), b.candidates.size());
  for (std::size_t i = 0; i < a.candidates.size(); ++i) {
    EXPECT_EQ(a.candidates[i].stream, b.candidates[i].stream);
    EXPECT_EQ(a.candidates[i].objective, b.candidates[i].objective);
    EXPECT_EQ(a.candidates[i].round, b.candidates[i].round);
    EXPECT_EQ(a.candidates[i].behind, b.candidates[i].behind);
    EXPECT_EQ(a.candidates[i].similarity, b.candidates[i].similarity);
  }
  EXPECT_TRUE(same_bits(a.category_gain, b.category_gain));
  EXPECT_TRUE(same_bits(Matrix(a.explained), Matrix(b.explained)));
  EXPECT_TRUE(same_bits(Matrix(a.stability), Matrix(b.stability)));
  EXPECT_EQ(a.times_found, b.times_found);
  EXPECT_EQ(a.certainty, b.certainty);
  ASSERT_EQ(a.alternatives.size(), b.alternatives.size());
  for (std::size_t i = 0; i < a.alternatives.size(); ++i) {
    EXPECT_EQ(a.alternatives[i].behind, b.alternatives[i].behind);
    EXPECT_TRUE(same_bits(Matrix(a.alternatives[i].similarity), Matrix(b.alternatives[i].similarity)));
  }
  EXPECT_EQ(a.warnings, b.warnings);
  EXPECT_EQ(to_json(a.options), to_json(b.options));
  EXPECT_EQ(a.version, b.version);
  EXPECT_EQ(a.data_fingerprint, b.data_fingerprint);
  EXPECT_EQ(a.fitted_fingerprint, b.fitted_fingerprint);
}

namespace {
void expect_same(const NoiseModel& a, const NoiseModel& b) {
  EXPECT_EQ(a.unit, b.unit);
  EXPECT_TRUE(same_bits(Matrix(a.offset), Matrix(b.offset)));
  EXPECT_TRUE(same_bits(Matrix(a.level), Matrix(b.level)));
  EXPECT_TRUE(same_bits(Matrix(a.ridge), Matrix(b.ridge)));
  EXPECT_TRUE(same_bits(Matrix(a.smoothness), Matrix(b.smoothness)));
  EXPECT_TRUE(same_bits(as_matrices(a.consistency), as_matrices(b.consistency)));
  ASSERT_EQ(a.standard_errors.size(), b.standard_errors.size());
  for (std::size_t k = 0; k < a.standard_errors.size(); ++k)
    EXPECT_TRUE(same_bits(a.standard_errors[k], b.standard_errors[k]));
}
}  // namespace

void expect_same(const FitResult& a, const FitResult& b) {
  expect_same(a.summary, b.summary);
  EXPECT_EQ(a.model.channel_names, b.model.channel_names);
  EXPECT_EQ(a.model.channel_groups, b.model.channel_groups);
  EXPECT_TRUE(same_bits(a.model.traces, b.model.traces));
  EXPECT_TRUE(same_bits(as_matrices(a.model.times), as_matrices(b.model.times)));
  EXPECT_TRUE(same_bits(a.model.transitions, b.model.transitions));
  EXPECT_EQ(a.model.trial_names, b.model.trial_names);
  expect_same(a.model.labels, b.model.labels);
  expect_same(a.model.noise, b.model.noise);
  EXPECT_EQ(a.model.history, b.model.history);
  ASSERT_EQ(a.model.categories.size(), b.model.categories.size());
  for (std::size_t k = 0; k < a.model.categories.size(); ++k) {
    const FittedCategory &ca = a.model.categories[k], &cb = b.model.categories[k];
    expect_same(ca.category.spec, cb.category.spec);
    EXPECT_EQ(ca.category.options, cb.category.options);
    EXPECT_EQ(ca.category.option_of_trial, cb.category.option_of_trial);
    EXPECT_TRUE(same_bits(ca.category.option_values, cb.category.option_values));
    EXPECT_EQ(ca.category.bin_edges, cb.category.bin_edges);
    EXPECT_TRUE(same_bits(ca.category.graph.dense(), cb.category.graph.dense()));
    EXPECT_TRUE(same_bits(ca.variants, cb.variants));
  }
  ASSERT_EQ(a.model.alternatives.size(), b.model.alternatives.size());
  for (std::size_t i = 0; i < a.model.alternatives.size(); ++i) {
    ASSERT_EQ(a.model.alternatives[i].size(), b.model.alternatives[i].size());
    for (std::size_t k = 0; k < a.model.alternatives[i].size(); ++k)
      EXPECT_TRUE(same_bits(a.model.alternatives[i][k], b.model.alternatives[i][k])) << i << " " << k;
  }
}

}  // namespace milcci::testing
