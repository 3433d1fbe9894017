#include "milcci/channel_groups.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/expect_error.hpp"

namespace milcci {
namespace {

// Six channels, three in each of two regions; one component that holds two of V1 under `left`, and one of
// each under `right`.
Model two_regions() {
  Model model;
  model.channel_names = {"a", "b", "c", "d", "e", "f"};
  model.channel_groups = {"V1", "V1", "V1", "M2", "M2", "M2"};
  FittedCategory side;
  side.category.spec = {.name = "side", .n_components = 1};
  side.category.options = {"left", "right"};
  Matrix left(6, 1), right(6, 1);
  left << 0.75, 0.25, 0, 0, 0, 0;
  right << -0.5, 0, 0, 0.5, 0, 0;
  side.variants = {left, right};
  model.categories = {side};
  return model;
}

TEST(ChannelGroups, AreCountedAgainstChance) {
  const std::vector<GroupShare> shares = channel_groups(two_regions());
  ASSERT_EQ(shares.size(), 4u);  // two options, M2 before V1
  EXPECT_EQ(shares[1].group, "V1");
  EXPECT_EQ(shares[1].n_members, 2u);
  EXPECT_DOUBLE_EQ(shares[1].share, 1.0);
  EXPECT_DOUBLE_EQ(shares[1].expected, 0.5);
  EXPECT_NEAR(shares[1].p, 3.0 / 15.0, 1e-12);  // pairs within V1, of all pairs
  EXPECT_DOUBLE_EQ(shares[0].p, 1.0);
  EXPECT_DOUBLE_EQ(shares[3].share, 0.5);  // signs do not matter
  EXPECT_NEAR(shares[3].p, 12.0 / 15.0, 1e-12);
}

TEST(ChannelGroups, FalseDiscoveryRatesRiseWithP) {
  const std::vector<GroupShare> shares = channel_groups(two_regions());
  // p: 1, 0.2, 0.8, 0.8: of four rows.
  EXPECT_NEAR(shares[1].q, 0.8, 1e-12);
  EXPECT_NEAR(shares[3].q, 1.0, 1e-12);
}

TEST(ChannelGroups, DeadVariantsAreLeftOutAndMissingGroupsRefused) {
  Model model = two_regions();
  model.categories[0].variants[1].setZero();
  EXPECT_EQ(channel_groups(model).size(), 2u);
  model.channel_groups.clear();
  testing::expect_error(ErrorKind::bad_input, {"no groups"}, [&] { channel_groups(model); });
}

TEST(ChannelGroups, ChannelsWithoutAGroupDoNotCount) {
  Model model = two_regions();
  model.channel_groups[1] = "";
  const std::vector<GroupShare> shares = channel_groups(model);
  ASSERT_EQ(shares.size(), 4u);
  EXPECT_EQ(shares[1].n_channels, 2u);
  EXPECT_DOUBLE_EQ(shares[1].share, 1.0);
  EXPECT_NEAR(shares[1].p, 2.0 / 5.0, 1e-12);
}

TEST(ChannelGroups, JsonHasTheNumbers) {
  const std::vector<GroupShare> shares = channel_groups(two_regions());
  const auto json = nlohmann::json::parse(to_json(shares));
  EXPECT_EQ(json["groups"][1]["p"].get<double>(), shares[1].p);
  EXPECT_EQ(json["groups"][1]["component"], 1);
  EXPECT_NE(to_text(shares).find("V1"), std::string::npos);
}

}  // namespace
}  // namespace milcci
