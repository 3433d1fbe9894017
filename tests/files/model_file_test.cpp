#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <thread>

#include "hdf5/hdf5.hpp"
#include "milcci/files.hpp"
#include "support/expect_error.hpp"
#include "support/hdf5_editor.hpp"
#include "support/results.hpp"
#include "support/temporary_directory.hpp"

namespace milcci {
namespace {

using testing::expect_error;
using testing::expect_same;
using testing::full_result;
using testing::full_trials;
using testing::read_bytes;
using testing::TemporaryDirectory;

TEST(ModelFile, RoundTripIsExact) {
  const TemporaryDirectory directory;
  write_model(directory.file("m.h5"), full_result());
  expect_same(full_result(), read_model(directory.file("m.h5")));
  EXPECT_EQ(file_kind(directory.file("m.h5")), FileKind::model);
}

// Before version 2 the decorrelation d was not divided by the number of pairs of traces.
TEST(ModelFile, DecorrelationOfVersionOneKeepsItsWeight) {
  const TemporaryDirectory directory;
  FitResult result = full_result();
  result.summary.options.decorrelation = 0.5;
  const auto P = static_cast<double>(result.model.n_components());
  write_model(directory.file("m.h5"), result);
  EXPECT_DOUBLE_EQ(read_model(directory.file("m.h5")).summary.options.decorrelation, 0.5);
  testing::Hdf5Editor(directory.file("m.h5")).put_attribute("format_version", 1);
  EXPECT_DOUBLE_EQ(read_model(directory.file("m.h5")).summary.options.decorrelation, 0.5 * 4 * P * (P - 1));
}

TEST(ModelFile, OptionalPartsMayBeAbsent) {
  const TemporaryDirectory directory;
  FitResult result = full_result();
  result.model.channel_groups.clear();
  result.model.times.clear();
  result.model.transitions.clear();
  result.model.trial_names.clear();
  result.model.labels.clear();
  result.model.history.clear();
  result.model.noise = {};
  result.summary.iterations.clear();
  result.summary.candidates.clear();
  result.summary.certainty.clear();
  result.summary.alternatives.clear();
  result.model.alternatives.clear();
  write_model(directory.file("m.h5"), result);
  expect_same(result, read_model(directory.file("m.h5")));
}

TEST(ModelFile, SameResultGivesTheSameBytes) {
  const TemporaryDirectory directory;
  write_model(directory.file("a.h5"), full_result());
  write_model(directory.file("b.h5"), full_result());
  EXPECT_TRUE(read_bytes(directory.file("a.h5")) == read_bytes(directory.file("b.h5")));
}

TEST(ModelFile, TheOtherKindOfFileIsRecognised) {
  const TemporaryDirectory directory;
  write_trials(directory.file("t.h5"), full_trials());
  write_model(directory.file("m.h5"), full_result());
  expect_error(ErrorKind::bad_file, {"m.h5", "this is a model file"},
               [&] { read_trials(directory.file("m.h5")); });
  expect_error(ErrorKind::bad_file, {"t.h5", "this is a trials file", "milcci fit"},
               [&] { read_model(directory.file("t.h5")); });
}

TEST(ModelFile, ModelsThatDoNotFitTogetherAreNotWritten) {
  const TemporaryDirectory directory;
  const auto refused = [&](const auto& spoil, const std::vector<std::string>& words) {
    FitResult result = full_result();
    spoil(result.model);
    expect_error(ErrorKind::bad_input, words, [&] { write_model(directory.file("m.h5"), result); });
    EXPECT_TRUE(directory.names().empty());
  };
  const auto first = [](Model& m) -> FittedCategory& { return m.categories[0]; };
  refused([](Model& m) { m.channel_groups.pop_back(); }, {"channel_group has 3 groups, must have 4"});
  refused([](Model& m) { m.traces[1].resize(2, 1); }, {"has 2 traces of trial 2, must have 3"});
  refused([](Model& m) { m.times[0].resize(1); }, {"has 1 times of trial 1, must have 6"});
  refused([](Model& m) { m.times.pop_back(); }, {"traces/time has 4 trials, must have 5"});
  refused([](Model& m) { m.transitions[2].resize(3, 2); }, {"3 x 2, must be 3 x 3"});
  refused([](Model& m) { m.trial_names.pop_back(); }, {"trial_name has 4 names, must have 5"});
  refused([](Model& m) { m.labels[1] = m.labels[0]; }, {"labels/choice is there twice"});
  refused([](Model& m) { m.labels[0].values = LabelColumn::Texts{"x"}; }, {"1 values, must have 5"});
  refused([](Model& m) { m.categories.clear(); }, {"categories is empty"});
  refused([](Model& m) { m.categories[1].category.spec.name = "a/b %."; }, {"two categories"});
  refused([&](Model& m) { first(m).variants.pop_back(); }, {"2 variants, must have 3"});
  refused([&](Model& m) { first(m).variants[1].resize(3, 2); }, {"3 channels in a variant, must have 4"});
  refused([&](Model& m) { first(m).variants[1].resize(4, 1); }, {"1 components in a variant"});
  refused([&](Model& m) { first(m).variants[1](0, 0) = HUGE_VAL; }, {"holds inf, must hold finite"});
  refused([&](Model& m) { first(m).category.option_of_trial[3] = 3; }, {"value 3", "0 and 2"});
  refused([&](Model& m) { first(m).category.option_of_trial.pop_back(); }, {"4 trials, must have 5"});
  refused([&](Model& m) { first(m).category.graph = LabelGraph::constant(2, 1); },
          {"graph has 2 options, must have 3"});
  refused([&](Model& m) { first(m).category.option_values.resize(2, 1); }, {"2 x 1, must be 3 x 1"});
  refused([&](Model& m) { first(m).category.bin_edges.push_back(9); }, {"3 numbers, must have 2"});
  refused([&](Model& m) { first(m).category.options.clear(); }, {"option is empty"});
  refused([](Model& m) { m.alternatives.pop_back(); }, {"alternatives has 1 answers, must have 2 as the"});
  refused([](Model& m) { m.alternatives[1].pop_back(); }, {"alternatives/1 has 1 categories, must have 2"});
  refused([](Model& m) { m.alternatives[1][0].pop_back(); }, {"2 variants, must have 3"});
  refused([](Model& m) { m.alternatives[0][1][0].resize(3, 1); },
          {"alternatives/0/Größe/components has 3 channels in a variant, must have 4"});
  refused([](Model& m) { m.alternatives[0][1][0].resize(4, 2); }, {"2 components in a variant, must have 1"});
  refused([](Model& m) { m.alternatives[0][1][0](2, 0) = NAN; }, {"holds nan, must hold finite"});
}

TEST(ModelFile, HasCertaintyAndAlternativesForOtherProgramsToo) {
  const TemporaryDirectory directory;
  const FitResult result = full_result();
  write_model(directory.file("m.h5"), result);
  const hdf5::File file = hdf5::File::open(directory.file("m.h5"));
  EXPECT_EQ(file.root().open_group("summary").read_texts("certainty"),
            (std::vector<std::string>{"firm", "unstable", "alternative"}));
  const hdf5::Group second = file.root().open_group("alternatives").open_group("1");
  EXPECT_EQ(second.open_group("a%2Fb %25.").read_reals("similarity", {2}), (std::vector{0.95, 0.1}));
  const hdf5::Group category = second.open_group("Größe");
  EXPECT_EQ(category.read_reals("similarity", {1}), std::vector{0.7});
  EXPECT_EQ(category.read_texts("option"), result.model.categories[1].category.options);
  EXPECT_EQ(category.read_reals("components", {2, 1, 4})[4], result.model.alternatives[1][1][1](0, 0));
}

// A model whose first category has this many options and this graph.
FitResult with_graph(int n_options, LabelGraph graph) {
  FitResult result = full_result();
  FittedCategory& fitted = result.model.categories[0];
  fitted.category.options.clear();
  for (int i = 0; i < n_options; ++i) fitted.category.options.push_back(fmt::format("{}", i));
  fitted.category.option_values = Matrix::Zero(n_options, 1);
  fitted.category.bin_edges.clear();
  fitted.variants.resize(static_cast<std::size_t>(n_options), Matrix::Zero(4, 2));
  for (auto& answer : result.model.alternatives) answer[0] = fitted.variants;
  result.model.noise.standard_errors.clear();
  fitted.category.graph = std::move(graph);
  return result;
}

TEST(ModelFile, KeepsGraphsOfThousandsOfOptionsInProportionToTheirEdges) {
  const TemporaryDirectory directory;
  constexpr int kOptions = 3000;  // as a matrix: 72 MB
  std::vector<std::vector<LabelGraph::Neighbour>> rows(kOptions);
  for (int i = 1; i < kOptions; ++i) rows[static_cast<std::size_t>(i)] = {{i - 1, 0.5 + 1e-5 * i}};
  for (const LabelGraph& graph : {LabelGraph::constant(kOptions, 1.0 / (kOptions - 1)),
                                  LabelGraph::constant(kOptions, 0.0), LabelGraph(rows)}) {
    const FitResult result = with_graph(kOptions, graph);
    write_model(directory.file("m.h5"), result, Overwrite::yes);
    EXPECT_LT(std::filesystem::file_size(directory.file("m.h5")), 2'000'000u);
    EXPECT_EQ(read_model(directory.file("m.h5")).model.categories[0].category.graph, graph);
  }
}

TEST(ModelFile, OfFewOptionsHasItsGraphAsAMatrix) {
  const TemporaryDirectory directory;
  for (const LabelGraph& graph :
       {LabelGraph::constant(3, 0.5), LabelGraph({{{1, 1.0}}, {{0, 0.25}, {2, 0.75}}, {}})}) {
    write_model(directory.file("m.h5"), with_graph(3, graph), Overwrite::yes);
    const hdf5::File file = hdf5::File::open(directory.file("m.h5"));
    const hdf5::Group category =
        file.root()
            .open_group("categories")
            .open_group(hdf5::link_name(full_result().model.categories[0].category.spec.name));
    const Matrix expected = graph.dense().transpose();  // row by row in the file
    EXPECT_EQ(category.read_reals("graph", {3, 3}),
              std::vector<double>(expected.data(), expected.data() + 9));
    EXPECT_EQ(read_model(directory.file("m.h5")).model.categories[0].category.graph, graph);
  }
}

TEST(ModelFile, SeveralThreadsMayReadAndWriteAtOnce) {
  const TemporaryDirectory directory;
  write_trials(directory.file("t.h5"), full_trials());
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      for (int n = 0; n < 5; ++n) {
        const std::string path = directory.file(std::to_string(i) + ".h5");
        write_model(path, full_result(), Overwrite::yes);
        EXPECT_EQ(read_model(path).model.n_components(), 3);
        EXPECT_EQ(read_trials(directory.file("t.h5")).n_trials(), 5u);
      }
    });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace milcci
