// Layers that change shapes or gradients: what comes out, and what they say when an input does not
// fit.
#include <gtest/gtest.h>

#include "hearth/config/yaml.h"
#include "hearth/nn/layer_fixture.h"
#include "hearth/nn/layers/activation/glu.h"
#include "hearth/nn/layers/activation/softmax.h"
#include "hearth/nn/layers/composition/layer_scale.h"
#include "hearth/nn/layers/position/position_embedding.h"
#include "hearth/nn/layers/shape/channel_shuffle.h"
#include "hearth/nn/layers/shape/crop.h"
#include "hearth/nn/layers/shape/pad.h"
#include "hearth/nn/layers/shape/permute.h"
#include "hearth/nn/layers/shape/pixel_shuffle.h"
#include "hearth/nn/layers/shape/pixel_unshuffle.h"
#include "hearth/nn/layers/shape/reshape.h"
#include "hearth/nn/layers/shape/upsample2d.h"

namespace hearth {
namespace {

Choice<Layer> shape_graph(const std::string& nodes) {
  return {"graph", parse_yaml("{nodes: [" + nodes + "]}", "net.yaml")};
}

TEST(ShapeLayers, SayWhatComesOut) {
  expect_spec(layers::reshape({{4, -1}}), {2, 6}, {4, 3});
  expect_spec(layers::permute({{2, 0, 1}}), {2, 3, 4}, {4, 2, 3});
  expect_spec(layers::pad({.padding = {1, 2, 0, 3}}), {2, 3, 4}, {2, 6, 7});
  expect_spec(layers::pad({.padding = {2}}), {3, 4}, {3, 8});
  expect_spec(layers::crop({.margins = {1}}), {2, 5, 6}, {2, 3, 4});
  expect_spec(layers::crop({.size = {2, 3}}), {2, 5, 6}, {2, 2, 3});
  expect_spec(layers::pixel_shuffle({3}), {18, 2, 4}, {2, 6, 12});
  expect_spec(layers::pixel_unshuffle(), {2, 4, 6}, {8, 2, 3});
  expect_spec(layers::upsample2d({.size = {7}}), {2, 3, 4}, {2, 7, 7});
  expect_spec(layers::glu(), {6, 2, 3}, {3, 2, 3});
  expect_spec(layers::glu({.dim = 1}), {3, 2, 5}, {3, 1, 5});
}

TEST(ShapeLayers, SayWhatDoesNotFit) {
  EXPECT_EQ(build_fault(layers::reshape({{4, 2}}), float_spec({2, 3})),
            "net reshape: needs as many values as [4, 2] has, but the input is float32 [B, 2, 3]. "
            "Change the shape, or let one length be -1: whatever is left.");
  EXPECT_EQ(build_fault(layers::glu(), float_spec({3})),
            "net glu: needs a multiple of 2 values along dimension 0, but the input is float32 [B, "
            "3]. Let the layer before it give as many.");
  EXPECT_EQ(build_fault(layers::softmax({.dim = 2}), float_spec({3, 4})),
            "net softmax: needs a dimension 2, but the input is float32 [B, 3, 4]. Dimensions are "
            "counted from 0 without the batch: 0 to 1 here, or -2 to -1 from the end.");
  EXPECT_EQ(build_fault(layers::pad({.padding = {3}, .mode = "reflect"}), float_spec({1, 3, 5})),
            "net pad: needs more points along a side than the 3 that it takes from there, but the "
            "input is float32 [B, 1, 3, 5]. Use less padding, or the mode constant or replicate.");
  EXPECT_EQ(build_fault(layers::crop(), float_spec({1, 3, 5})),
            "net crop: needs one of `margins`, `size` and a second input whose size it gets, but 0 "
            "of them are given.");
  EXPECT_EQ(build_fault(layers::position_embedding({.length = 2}), float_spec({3, 4})),
            "net position_embedding: needs at most 2 places, but the input is float32 [B, 3, 4]. "
            "Raise the option length.");
}

TEST(Multiply, SpreadsGatesOverTheWholeShape) {
  const auto by_channel = built(shape_graph("global_average_pool, {multiply: {in: [input, '0']}}"),
                                float_spec({3, 2, 4}));
  const at::Tensor input = random_batch({3, 2, 4});
  EXPECT_TRUE((*by_channel)(input).allclose(input.mul(input.mean({2, 3}, true))));
}

TEST(Multiply, SaysWhichFactorDoesNotFit) {
  EXPECT_EQ(build_fault(shape_graph("{conv2d: {name: a, out_channels: 2, kernel_size: 1}}, "
                                    "{multiply: {in: [input, a]}}"),
                        float_spec({3, 4, 5})),
            "net.yaml:1:75: net.1 multiply: cannot spread float32 [B, 2, 4, 5] over float32 [B, 3, "
            "4, 5]. A factor "
            "has the other's shape, length 1 along some of its dimensions, or is one number for "
            "each channel, [C].");
}

TEST(LayerScale, HasTheShapeOfTorchvisions) {
  const auto image = built(layers::layer_scale(), float_spec({3, 2, 4}));
  EXPECT_EQ(image->parameters()[0].second.sizes().vec(), (std::vector<int64_t>{3, 1, 1}));
  const auto rows = built(layers::layer_scale({0.5}), float_spec({2, 4}));
  EXPECT_EQ(rows->parameters()[0].second.sizes().vec(), std::vector<int64_t>{4});
}

}  // namespace
}  // namespace hearth
