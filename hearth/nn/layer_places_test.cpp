// Parts of a model on devices of their own. The meta device stands for another one: it has shapes
// and a place, and needs no hardware.
#include "hearth/nn/layer_places.h"

#include <ATen/ops/randn.h>
#include <gtest/gtest.h>

#include "hearth/base/message_of_test.h"
#include "hearth/config/registry.h"
#include "hearth/nn/architectures/mlp.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/layer_edits.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/linear.h"

namespace hearth {
namespace {

using Devices = std::map<std::string, at::Device>;

// Built as a model builds it, with what no pattern fits on `rest`.
std::unique_ptr<Layer> placed(const Choice<Layer>& choice, const Devices& devices,
                              at::Device rest) {
  const LayerPlaces places(devices, "net");
  LayerEdits edits({}, "net");
  edits.set_places(&places);
  BuildContext context;
  context.path = "net";
  context.edits = &edits;
  context.device = rest;
  context.classes = 3;
  std::unique_ptr<Layer> layer = registry<Layer>().make(choice);
  (void)layer->build(Spec{DType::kFloat32, {5}}, context);
  places.finish(*layer, rest);
  return layer;
}

Choice<Layer> two_parts() {
  return layers::sequential({{layers::linear({.out_features = 4}),
                              layers::sequential({{layers::linear({.out_features = 3})}})}});
}

TEST(LayerPlaces, TheLongestPatternCounts) {
  const at::Device first(at::kCUDA, 0);
  const at::Device second(at::kCUDA, 1);
  const LayerPlaces places({{"encoder", first}, {"encoder.*.head", second}}, "net");
  EXPECT_EQ(places.device_of("net.encoder", at::kCPU), first);
  EXPECT_EQ(places.device_of("net.encoder.3", at::kCPU), first);
  EXPECT_EQ(places.device_of("net.encoder.3.head.0", at::kCPU), second);
  EXPECT_EQ(places.device_of("net.decoder", at::kCPU), at::kCPU);
  EXPECT_EQ(places.device_of("net", at::kCPU), at::kCPU);
}

TEST(LayerPlaces, ParametersAreMadeOnTheirDeviceAndValuesAreMovedAtTheBorder) {
  const auto layer = placed(two_parts(), {{"0", at::kCPU}}, at::kMeta);
  for (const auto& [name, tensor] : layer->handles())
    EXPECT_EQ(tensor.device(), at::Device(name.starts_with("0.") ? at::kCPU : at::kMeta)) << name;
  const at::Tensor output = (*layer)(at::randn({2, 5}));
  EXPECT_EQ(output.device(), at::Device(at::kMeta));
  EXPECT_EQ(output.sizes(), at::IntArrayRef({2, 3}));
}

TEST(LayerPlaces, WithOneDeviceForAllPartsTheBitsAreThoseOfAnUnplacedModel) {
  const at::Tensor input = at::randn({2, 5});
  const auto apart = placed(two_parts(), {{"0", at::kCPU}, {"1.*", at::kCPU}}, at::kCPU);
  BuildContext context;
  context.path = "net";
  const auto together = registry<Layer>().make(two_parts());
  (void)together->build(Spec{DType::kFloat32, {5}}, context);
  EXPECT_TRUE((*apart)(input).equal((*together)(input)));
}

TEST(LayerPlaces, APatternThatFitsNothingIsAnErrorWithTheNearestPath) {
  EXPECT_EQ(message_of<GraphError>([] {
              (void)placed(layers::mlp({.hidden = {4}}), {{"hiden1", at::kCPU}}, at::kCPU);
            }),
            "place: 'hiden1' fits no layer of 'net'. Did you mean 'hidden1'?");
}

}  // namespace
}  // namespace hearth
