// Classifiers of images: small images and other channels, several outputs, first values, and what
// they say. tests/parity holds them against torchvision's.
#include <ATen/ops/std.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hearth/nn/architectures/alexnet.h"
#include "hearth/nn/architectures/densenet.h"
#include "hearth/nn/architectures/googlenet.h"
#include "hearth/nn/architectures/inception_v3.h"
#include "hearth/nn/architectures/mnasnet.h"
#include "hearth/nn/architectures/mobilenet_v2.h"
#include "hearth/nn/architectures/mobilenet_v3.h"
#include "hearth/nn/architectures/shufflenet_v2.h"
#include "hearth/nn/architectures/squeezenet.h"
#include "hearth/nn/architectures/vgg.h"
#include "hearth/nn/layer_fixture.h"
#include "hearth/nn/layer_init.h"

namespace hearth {
namespace {

using testing::HasSubstr;

BuildContext without_values() {
  BuildContext context{7, "net", 5};
  context.device = at::kMeta;
  return context;
}

TEST(Classifiers, TakeSmallImagesOfAnyChannels) {
  const std::vector<std::pair<Choice<Layer>, int64_t>> smallest = {
      {layers::alexnet(), 63},     {layers::vgg(), 32},         {layers::densenet(), 29},
      {layers::squeezenet(), 21},  {layers::googlenet(), 15},   {layers::inception_v3(), 75},
      {layers::mobilenet_v2(), 1}, {layers::mobilenet_v3(), 1}, {layers::shufflenet_v2(), 1},
      {layers::mnasnet(), 1}};
  for (const auto& [choice, side] : smallest)
    for (const int64_t channels : {1, 4}) {
      const auto layer = built(choice, float_spec({channels, side, side}), without_values());
      EXPECT_EQ(layer->output_spec().text(), "float32 [B, 5], 5 classes") << choice.name();
    }
}

TEST(Classifiers, SayWhereAnImageIsTooSmall) {
  EXPECT_THAT(build_fault(layers::vgg({.width_mult = 0.02, .classes = 5}), float_spec({3, 16, 16})),
              HasSubstr("max_pool2d: needs at least 2 points along a side"));
  EXPECT_THAT(
      build_fault(layers::inception_v3({.aux_logits = true, .width_mult = 0.02, .classes = 5}),
                  float_spec({3, 107, 107})),
      HasSubstr("net.AuxLogits.conv1.conv conv2d: needs at least 5 points along a side"));
}

TEST(Classifiers, SayWhichVariantsThereAre) {
  const auto said = [](const Choice<Layer>& choice) {
    try {
      (void)built(choice, float_spec({3, 64, 64}));
    } catch (const ConfigError& error) {
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  EXPECT_THAT(said(layers::vgg({.depth = 12})), HasSubstr("depth must be 11, 13, 16 or 19."));
  EXPECT_THAT(said(layers::densenet({.depth = 100})),
              HasSubstr("depth must be 121, 161, 169 or 201."));
  EXPECT_THAT(said(layers::shufflenet_v2({.width = 0.7})),
              HasSubstr("width must be 0.5, 1, 1.5 or 2."));
  EXPECT_THAT(said(layers::squeezenet({.version = "2"})), HasSubstr("There is no variant '2'."));
}

TEST(Classifiers, HaveOneOutputForEachHead) {
  const auto net =
      built(layers::googlenet({.aux_logits = true}), float_spec({3, 64, 64}), without_values());
  EXPECT_THAT(net->description().outputs,
              testing::ElementsAre("logits", "aux_logits1", "aux_logits2"));
  for (const Spec& spec : net->output_specs())
    EXPECT_EQ(spec.shape, (std::vector<int64_t>{5})) << spec.text();
}

TEST(Classifiers, ScaleAllTheirChannels) {
  const auto narrow =
      built(layers::mobilenet_v2({.width_mult = 0.5}), float_spec({3, 64, 64}), without_values());
  EXPECT_EQ(narrow->find("features.0")->output_spec().shape[0], 16);
  EXPECT_EQ(narrow->find("features.18")->output_spec().shape[0], 1280);
  EXPECT_EQ(narrow->parameter_count(), 694'085);
}

// The deviation of a parameter's first values.
double deviation(const Layer& layer, const std::string& name) {
  for (const auto& [path, tensor] : layer.parameters())
    if (path == name) return at::std(tensor.detach()).item<double>();
  return -1;
}

TEST(Classifiers, StartWithTheValuesOfTheirPapers) {
  const BuildContext context{7, "net", 5};
  const auto vgg =
      built(layers::vgg({.depth = 11, .width_mult = 0.125}), float_spec({3, 32, 32}), context);
  apply_initializers(*vgg, context);
  EXPECT_NEAR(deviation(*vgg, "features.3.weight"), std::sqrt(2.0 / (16 * 9)), 0.01);
  EXPECT_EQ(deviation(*vgg, "features.3.bias"), 0);
  EXPECT_NEAR(deviation(*vgg, "classifier.0.weight"), 0.01, 1e-4);
  const auto net =
      built(layers::inception_v3({.width_mult = 0.125}), float_spec({3, 75, 75}), context);
  apply_initializers(*net, context);
  EXPECT_NEAR(deviation(*net, "Mixed_7c.branch3x3_2a.conv.weight"), 0.1, 0.005);
}

TEST(Classifiers, GiveWayToTheFirstValuesOfAConfig) {
  const BuildContext context{7, "net", 5};
  Node init = Node::map();
  init.set("classifier.1", Node::scalar("zeros"));
  const Choice<Layer> choice = layers::mobilenet_v2({.width_mult = 0.1}).with("init", init);
  const auto net = built(choice, float_spec({3, 8, 8}), context);
  net->set_choice(choice);
  apply_initializers(*net, context);
  EXPECT_EQ(deviation(*net, "classifier.1.weight"), 0);
  EXPECT_GT(deviation(*net, "features.0.0.weight"), 0);
}

}  // namespace
}  // namespace hearth
