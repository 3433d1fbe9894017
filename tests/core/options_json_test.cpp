#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "milcci/options.hpp"
#include "support/expect_error.hpp"

namespace milcci {
namespace {

using testing::expect_error;

// Every member different from its default, with numbers that lose bits in careless printing.
FitOptions unusual_options() {
  FitOptions options;
  options.nonnegative = NonNegative::both;
  options.transform = Transform::tanh;
  options.sparsity = 0.1 + 0.2;
  options.consistency = 1.0 / 3.0;
  options.smoothness = std::nextafter(1.0, 2.0);
  options.decorrelation = 4.9406564584124654e-324;
  options.prior = TracePrior::lds;
  options.transition_pull = 1e300;
  options.dynamics_iterations = 3;
  options.gamma1 = 0.0;
  options.gamma3 = M_PI;
  options.gamma5 = 1e22;
  options.max_iterations = 7;
  options.tolerance = 1e-17;
  options.component_tolerance = 0.007;
  options.seed = 18000000000000000001ull;
  options.effort = Effort::thorough;
  options.time_limit = 0.1;
  options.restarts = 1;
  options.threads = 2;
  Matrix graph(2, 2);
  graph << 1, 0.1, 1.0 / 7.0, 1;
  options.categories = {
      {.name = "größe, \"quoted\"/\\",
       .n_components = 3,
       .kind = CategoryKind::ordinal,
       .columns = {"x", "y"},
       .order = {},
       .bins = 4,
       .kernel = Kernel::inverse,
       .width = 0.3,
       .neighbours = 5,
       .distance = Distance::maximum},
      {.name = "region", .kind = CategoryKind::graph, .graph = graph, .graph_options = {"V1", ""}},
      {.name = "size", .kind = CategoryKind::ordinal, .order = {"low", "high"}}};
  return options;
}

TEST(OptionsJson, TheUsualEffortIsCalledDefault) {
  FitOptions options;
  EXPECT_EQ(nlohmann::json::parse(to_json(options))["effort"], "default");
  EXPECT_EQ(options_from_json(R"({"effort": "default"})").effort, Effort::normal);
  expect_error(ErrorKind::bad_option, {"`effort`", "quick, default, thorough"},
               [] { options_from_json(R"({"effort": "normal"})"); });
}

TEST(OptionsJson, RoundTripKeepsEveryBit) {
  const FitOptions before = unusual_options();
  const FitOptions after = options_from_json(to_json(before));
  std::vector<std::string> members_before, members_after;
  const auto bits = [](std::vector<std::string>& into) {
    return [&into](const Field&, const auto& member) {
      using Member = std::decay_t<decltype(member)>;
      char text[64] = "unset";
      if constexpr (std::is_same_v<Member, std::optional<double>>) {
        if (member) std::snprintf(text, sizeof text, "%a", *member);
      } else if constexpr (std::is_same_v<Member, std::uint64_t>) {
        std::snprintf(text, sizeof text, "%ju", static_cast<std::uintmax_t>(member));
      } else {
        std::snprintf(text, sizeof text, "%a", static_cast<double>(member));
      }
      into.emplace_back(text);
    };
  };
  visit_fields(before, bits(members_before));
  visit_fields(after, bits(members_after));
  EXPECT_EQ(members_before, members_after);

  ASSERT_EQ(after.categories.size(), before.categories.size());
  for (std::size_t k = 0; k < before.categories.size(); ++k) {
    const CategorySpec &b = before.categories[k], &a = after.categories[k];
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.n_components, b.n_components);
    EXPECT_EQ(a.kind, b.kind);
    EXPECT_EQ(a.columns, b.columns);
    EXPECT_EQ(a.order, b.order);
    EXPECT_EQ(a.bins, b.bins);
    EXPECT_EQ(a.kernel, b.kernel);
    EXPECT_EQ(a.width, b.width);
    EXPECT_EQ(a.neighbours, b.neighbours);
    EXPECT_EQ(a.distance, b.distance);
    EXPECT_EQ(a.graph, b.graph);
    EXPECT_EQ(a.graph_options, b.graph_options);
  }
}

TEST(OptionsJson, HasEveryFieldAndWritesUnsetNumbersAsNull) {
  const auto json = nlohmann::json::parse(to_json(FitOptions{}));
  std::size_t n_fields = 1;  // categories
  visit_fields(FitOptions{}, [&](const Field& field, const auto&) {
    EXPECT_TRUE(json.contains(field.name)) << field.name;
    ++n_fields;
  });
  EXPECT_EQ(json.size(), n_fields);
  EXPECT_TRUE(json["gamma1"].is_null());
}

TEST(OptionsJson, TheOldKeyTanhIsStillRead) {
  EXPECT_EQ(options_from_json(R"({"tanh": true})").transform, Transform::tanh);
  EXPECT_EQ(options_from_json(R"({"tanh": false})").transform, Transform::none);
}

TEST(OptionsJson, NullIsNaNWhereANumberIsExpectedAndNoOptionIsValidWithIt) {
  FitOptions options;
  options.categories = {{.name = "a"}};
  options.tolerance = HUGE_VAL;
  EXPECT_TRUE(nlohmann::json::parse(to_json(options))["tolerance"].is_null());
  const FitOptions back = options_from_json(to_json(options));
  EXPECT_TRUE(std::isnan(back.tolerance));
  EXPECT_EQ(violations(back), std::vector<std::string>{"`tolerance` = nan, must be between 0 and 1"});
}

TEST(OptionsJson, MissingKeysKeepTheirDefaults) {
  const FitOptions options = options_from_json(R"({"sparsity": 0.5, "categories": [{"name": "a"}]})");
  EXPECT_EQ(options.sparsity, 0.5);
  EXPECT_EQ(options.max_iterations, FitOptions{}.max_iterations);
  EXPECT_EQ(options.categories.front().neighbours, 2);
}

TEST(OptionsJson, UnknownKeysAreRefusedWithTheNearestKnownOne) {
  expect_error(ErrorKind::bad_option, {"`sparcity`", "did you mean 'sparsity'"},
               [] { options_from_json(R"({"sparcity": 0.5})"); });
  expect_error(ErrorKind::bad_option, {"category 0", "`kernal`", "did you mean 'kernel'"},
               [] { options_from_json(R"({"categories": [{"name": "a", "kernal": "inverse"}]})"); });
}

TEST(OptionsJson, WrongTypesAreRefusedWithKeyFoundAndExpected) {
  const auto refused = [](const std::string& json, const std::vector<std::string>& words) {
    expect_error(ErrorKind::bad_option, words, [&] { options_from_json(json); });
  };
  refused(R"({"sparsity": "much"})", {"`sparsity`", "\"much\"", "a number"});
  refused(R"({"tanh": 1})", {"`tanh`", "true or false"});
  refused(R"({"transform": "tan"})", {"`transform`", "none, tanh"});
  refused(R"({"restarts": 2.5})", {"`restarts`", "2.5", "an integer"});
  refused(R"({"restarts": 9999999999})", {"`restarts`", "9999999999"});
  refused(R"({"restarts": 18446744073709551615})", {"`restarts`"});
  refused(R"({"seed": -1})", {"`seed`", "-1"});
  refused(R"({"prior": "ldz"})", {"`prior`", "\"ldz\"", "smoothness, lds"});
  refused(R"({"categories": 3})", {"`categories`", "3", "an array"});
  refused(R"({"categories": [3]})", {"category 0", "must be an object"});
  refused(R"({"categories": [{"columns": ["x", 3]}]})", {"`columns[1]`", "a string"});
  refused(R"({"categories": [{"graph": [[1, 2], [3]]}]})", {"`graph[1]`", "2 numbers"});
  refused("[]", {"must be an object"});
  refused("{\"sparsity\": ", {"not JSON"});
  refused("", {"not JSON"});
  refused(R"({"sparsity": 1e999})", {"too large"});
}

TEST(OptionsJson, NamesThatAreNotUtf8AreRefused) {
  FitOptions options;
  options.categories = {{.name = "bad \xff"}};
  expect_error(ErrorKind::bad_option, {"UTF-8"}, [&] { to_json(options); });
}

}  // namespace
}  // namespace milcci
