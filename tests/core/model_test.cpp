#include "milcci/model.hpp"

#include <gtest/gtest.h>

#include "support/expect_error.hpp"
#include "support/results.hpp"

namespace milcci {
namespace {

TEST(Model, LoadingIsTheChosenVariantsSideBySide) {
  const Model model = testing::full_result().model;
  ASSERT_EQ(model.n_components(), 3);
  const Matrix loading = model.loading(1);  // options 2 and 1
  EXPECT_EQ(loading.leftCols(2), model.categories[0].variants[2]);
  EXPECT_EQ(loading.rightCols(1), model.categories[1].variants[1]);
  EXPECT_TRUE(model.reconstruction(1).isApprox((loading * model.traces[1]).colwise() + model.noise.offset));
}

TEST(Model, PlaceSaysCategoryAndPositionWithin) {
  const Model model = testing::full_result().model;
  EXPECT_EQ(model.place(1).category, 0u);
  EXPECT_EQ(model.place(1).component, 1);
  EXPECT_EQ(model.place(2).category, 1u);
  EXPECT_EQ(model.place(2).component, 0);
  testing::expect_error(ErrorKind::bad_input, {"component 3", "between 0 and 2"}, [&] { model.place(3); });
  testing::expect_error(ErrorKind::bad_input, {"component -1"}, [&] { model.place(-1); });
}

TEST(Model, AComponentIsDeadOnlyIfItIsZeroUnderEveryOption) {
  Model model = testing::full_result().model;
  EXPECT_TRUE(model.dead_components().empty());
  model.categories[1].variants[0].setZero();
  EXPECT_EQ(model.dead_components(), std::vector<Index>{2});
}

TEST(Model, AnEmptyModelHasNoComponents) {
  EXPECT_EQ(Model{}.n_components(), 0);
  EXPECT_TRUE(Model{}.dead_components().empty());
}

}  // namespace
}  // namespace milcci
