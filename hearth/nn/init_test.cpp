// First values: deterministic, independent of each other, of the right spread.
#include "hearth/nn/init.h"

#include <gtest/gtest.h>

#include <cmath>

#include "hearth/nn/layer_fixture.h"
#include "hearth/nn/layers/activation/relu.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/linear.h"

namespace hearth {
namespace {

TEST(Init, IsAFunctionOfSeedPathAndName) {
  const BuildContext context{1, "net.0", 0};
  const at::Tensor values = uniform(context, "weight", {50}, 1);
  EXPECT_TRUE(values.equal(uniform(context, "weight", {50}, 1)));
  EXPECT_FALSE(values.equal(uniform(context, "bias", {50}, 1)));
  EXPECT_FALSE(values.equal(uniform({1, "net.1", 0}, "weight", {50}, 1)));
  EXPECT_FALSE(values.equal(uniform({2, "net.0", 0}, "weight", {50}, 1)));
  EXPECT_FALSE(values.equal(uniform({1ULL << 40 | 1, "net.0", 0}, "weight", {50}, 1)));
}

TEST(Init, FillsTheWholeRangeOfTheFanIn) {
  const at::Tensor values = fan_in_uniform({1, "net", 0}, "weight", {100, 100}, 100);
  EXPECT_NEAR(values.max().item<double>(), 0.1, 0.001);
  EXPECT_NEAR(values.min().item<double>(), -0.1, 0.001);
  EXPECT_NEAR(values.mean().item<double>(), 0, 0.002);
  EXPECT_NEAR(values.std().item<double>(), 0.1 / std::sqrt(3), 0.001);
}

TEST(Init, DrawsNormalValuesFromTheirOwnStream) {
  const at::Tensor values = normal({1, "net", 0}, "weight", {100, 100}, 0.5);
  EXPECT_NEAR(values.mean().item<double>(), 0, 0.01);
  EXPECT_NEAR(values.std().item<double>(), 0.5, 0.01);
  EXPECT_TRUE(values.equal(normal({1, "net", 0}, "weight", {100, 100}, 0.5)));
  EXPECT_FALSE(values.equal(normal({1, "net", 0}, "bias", {100, 100}, 0.5)));
}

TEST(Init, AddingALayerDoesNotChangeTheOthers) {
  const auto one = layers::linear({.out_features = 4});
  const auto shorter = built(layers::sequential({{one, layers::relu()}}), float_spec({3}));
  const auto longer =
      built(layers::sequential({{one, layers::relu(), layers::linear({.out_features = 4})}}),
            float_spec({3}));
  EXPECT_TRUE(shorter->parameters()[0].second.equal(longer->parameters()[0].second));
  EXPECT_TRUE(shorter->parameters()[1].second.equal(longer->parameters()[1].second));
}

TEST(Init, LeavesTheGlobalGeneratorAlone) {
  at::manual_seed(5);
  const at::Tensor expected = at::randn({3});
  at::manual_seed(5);
  (void)uniform({1, "net", 0}, "weight", {50}, 1);
  EXPECT_TRUE(at::randn({3}).equal(expected));
}

}  // namespace
}  // namespace hearth
