// U-Nets, autoencoders and the sides of a DCGAN: the same numbers as plain modules of PyTorch.
#include <gmock/gmock.h>

#include "hearth/nn/architectures/dcgan_discriminator.h"
#include "hearth/nn/architectures/dcgan_generator.h"
#include "hearth/nn/architectures/siamese.h"
#include "hearth/nn/architectures/unet.h"
#include "hearth/nn/architectures/vae.h"
#include "hearth/nn/layers/linear.h"
#include "tests/parity/layer_parity.h"

namespace hearth {
namespace {

TEST(GenerativeModels, GiveTheSameNumbersAsPythonsTorch) {
  expect_layer_parity("generative.json", 7);
}

TEST(Dcgan, HasTheSizesOfPyTorchsTutorial) {
  const auto generator = built(layers::dcgan_generator(), float_spec({100}));
  EXPECT_EQ(generator->output_spec().shape, (std::vector<int64_t>{3, 64, 64}));
  EXPECT_EQ(generator->parameter_count(), 3'576'704);
  const auto critic = built(layers::dcgan_discriminator(), float_spec({3, 64, 64}));
  EXPECT_EQ(critic->output_spec().shape, (std::vector<int64_t>{1}));
  EXPECT_EQ(critic->parameter_count(), 2'765'568);
}

TEST(Dcgan, SaysWhichImagesItTakes) {
  EXPECT_EQ(build_fault(layers::dcgan_discriminator(), float_spec({3, 60, 64})),
            "net dcgan_discriminator: needs a square image of 8, 16, 32, 64 or so points a side, "
            "but the input is float32 [B, 3, 60, 64]. Resize or pad it to such a size.");
}

TEST(Unet, SaysWhichSidesItCanHalve) {
  EXPECT_EQ(build_fault(layers::unet({.depth = 3, .classes = 2}), float_spec({3, 20, 24})),
            "net unet: needs sides that are multiples of 8, which can be halved 3 times, but the "
            "input is float32 [B, 3, 20, 24]. Resize or pad the image, use a smaller depth, or up: "
            "bilinear.");
}

TEST(Unet, HasTheSizeOfTheOneThatManyWeightsAreOf) {
  const auto layer = built(layers::unet({.classes = 2}), float_spec({3, 32, 32}));
  EXPECT_EQ(layer->parameter_count(), 31'037'698);
  const auto drawn = built(layers::unet({.up = "bilinear", .classes = 2}), float_spec({3, 32, 32}));
  EXPECT_EQ(drawn->parameter_count(), 17'262'977 + 65);
}

TEST(Vae, DrawsItsCodeOnlyWhileItTrains) {
  const auto layer = registry<Layer>().make(layers::vae({.hidden = {6}, .code = 3}));
  const std::vector<Spec> inputs = {float_spec({1, 4, 4})};
  (void)layer->build(inputs, {7, "net", 0});
  const std::vector<at::Tensor> image = {random_batch({1, 4, 4})};
  const auto rebuilt = [&](uint64_t seed) {
    at::manual_seed(seed);
    std::vector<at::Tensor> outputs(3);
    (*layer)(image, outputs);
    EXPECT_EQ(outputs[0].sizes(), image[0].sizes());
    return outputs[0];
  };
  EXPECT_FALSE(rebuilt(1).equal(rebuilt(2)));
  layer->set_training(false);
  EXPECT_TRUE(rebuilt(1).equal(rebuilt(2)));
}

TEST(Siamese, HasOneTowerForAllInputs) {
  const auto layer =
      registry<Layer>().make(layers::siamese({.tower = layers::linear({.out_features = 3})}));
  const std::vector<Spec> inputs = {float_spec({4}), float_spec({4})};
  (void)layer->build(inputs, {7, "net", 0});
  EXPECT_THAT(names_of(layer->parameters()), testing::ElementsAre("tower.weight", "tower.bias"));
  const std::vector<at::Tensor> twice = {random_batch({4}), random_batch({4})};
  std::vector<at::Tensor> points(2);
  (*layer)(twice, points);
  EXPECT_TRUE(points[0].equal(points[1]));
}

}  // namespace
}  // namespace hearth
