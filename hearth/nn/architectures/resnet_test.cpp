// Residual networks: their depths and sizes. tests/parity holds them against torchvision's.
#include "hearth/nn/architectures/resnet.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hearth/nn/layer_fixture.h"

namespace hearth {
namespace {

TEST(Resnet, HasTheBlocksOfItsDepth) {
  const std::vector<std::pair<int64_t, std::string>> last = {
      {20, "layer3.2.conv2.weight"},   {32, "layer3.4.conv2.weight"},
      {44, "layer3.6.conv2.weight"},   {56, "layer3.8.conv2.weight"},
      {110, "layer3.17.conv2.weight"}, {34, "layer4.2.conv2.weight"},
      {101, "layer3.22.conv3.weight"}, {152, "layer3.35.conv3.weight"}};
  for (const auto& [depth, name] : last) {
    const auto layer =
        built(layers::resnet({.depth = depth, .classes = 2, .width = 1}), float_spec({3, 32, 32}));
    const auto names = names_of(layer->parameters());
    EXPECT_THAT(names, testing::Contains(name));
    const auto is_counted = [](const std::string& each) {
      return each.ends_with("weight") &&
             (each.find("conv") != std::string::npos || each.starts_with("fc"));
    };
    EXPECT_EQ(std::count_if(names.begin(), names.end(), is_counted), depth);
  }
}

TEST(Resnet, IsSmallForCifar) {
  const auto layer = built(layers::resnet({.depth = 20}), float_spec({3, 32, 32}), {7, "net", 10});
  EXPECT_EQ(layer->output_spec().text(), "float32 [B, 10], 10 classes");
  EXPECT_EQ((*layer)(random_batch({3, 32, 32})).sizes().vec(), (std::vector<int64_t>{2, 10}));
  // He et al. give 0.27 million; the ways around are convolutions here, as is usual.
  EXPECT_EQ(layer->parameter_count(), 272'474);
  EXPECT_NEAR(layer->total_work(), 40.8e6, 0.1e6);
}

TEST(Resnet, RefusesADepthItDoesNotKnow) {
  try {
    (void)built(layers::resnet({.depth = 19}), float_spec({3, 32, 32}));
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(),
                testing::EndsWith("depth must be 20, 32, 44, 56 or 110 (small images), or 18, 34, "
                                  "50, 101 or 152 (large images)."));
  }
}

TEST(Resnet, SpreadsWindowsInsteadOfHalvingTheSides) {
  const auto features = [](std::vector<bool> replace) {
    const layers::ResnetOptions options{.depth = 50,
                                        .classes = 2,
                                        .width = 4,
                                        .width_per_group = 64,
                                        .replace_stride_with_dilation = std::move(replace)};
    const auto layer = built(layers::resnet(options), float_spec({3, 64, 64}));
    return layer->find("layer4")->output_spec().shape;
  };
  EXPECT_EQ(features({}), (std::vector<int64_t>{128, 2, 2}));
  EXPECT_EQ(features({false, true, true}), (std::vector<int64_t>{128, 8, 8}));
}

TEST(Resnet, SaysWhichDepthsHaveGroups) {
  try {
    (void)built(layers::resnet({.depth = 18, .groups = 32}), float_spec({3, 32, 32}));
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("groups, width_per_group and "
                                                 "replace_stride_with_dilation need depth 50"));
  }
}

}  // namespace
}  // namespace hearth
