// mlp and lenet: sizes, gradients, and the same numbers as Python's torch.
#include <c10/core/GradMode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hearth/config/yaml.h"
#include "hearth/nn/architectures/lenet.h"
#include "hearth/nn/architectures/mlp.h"
#include "hearth/nn/layer_fixture.h"
#include "tests/parity/parity.h"

namespace hearth {
namespace {

TEST(Mlp, GradientsMatchDifferences) {
  expect_gradients_of(layers::mlp({.hidden = {4}, .dropout = 0.3}), {1, 2, 3});
}

TEST(Mlp, TakesInputAndClassesFromTheData) {
  const auto layer = built(layers::mlp(), float_spec({1, 8, 8}), {7, "net", 10});
  EXPECT_THAT(names_of(layer->parameters()), testing::ElementsAre("hidden1.weight", "hidden1.bias",
                                                                  "output.weight", "output.bias"));
  EXPECT_EQ(layer->parameter_count(), 64 * 128 + 128 + 128 * 10 + 10);
  EXPECT_EQ(layer->output_spec().text(), "float32 [B, 10], 10 classes");
}

TEST(Mlp, WithoutHiddenLayersIsLinear) {
  const auto layer = built(layers::mlp({.hidden = {}, .classes = 3}), float_spec({4}));
  EXPECT_EQ(layer->parameter_count(), 4 * 3 + 3);
}

TEST(Mlp, AsksForClassesThatTheDataDoesNotName) {
  EXPECT_EQ(build_fault(layers::mlp(), float_spec({4})),
            "net mlp: the number of classes is not known, the data names none. Set the option "
            "classes.");
}

TEST(Lenet, GradientsMatchDifferences) {
  expect_gradients_of(layers::lenet({.channels = {2, 2}, .hidden = 3, .kernel = 3}), {1, 8, 8});
}

TEST(Lenet, HasTheClassicSizeOnLargeImages) {
  const auto layer = built(layers::lenet(), float_spec({1, 28, 28}), {7, "net", 10});
  EXPECT_EQ(layer->parameter_count(), 431'080);
}

TEST(Lenet, PadsSmallImagesSoThatDigitsOfEightPointsFit) {
  const auto layer = built(layers::lenet(), float_spec({1, 8, 8}), {7, "net", 10});
  EXPECT_EQ((*layer)(random_batch({1, 8, 8})).sizes().vec(), (std::vector<int64_t>{2, 10}));
  EXPECT_EQ(layer->parameter_count(), 20 * 26 + 50 * 501 + 500 * 201 + 10 * 501);
}

TEST(Lenet, SaysWhenAnImageIsTooSmall) {
  EXPECT_EQ(build_fault(layers::lenet({.padding = 0, .classes = 10}), float_spec({1, 8, 8})),
            "net.conv2 conv2d: needs at least 5 points along a side, padding included, but the "
            "input is float32 [B, 20, 2, 2]. Use a smaller kernel, more padding, or fewer layers "
            "that shrink it.");
}

void load_parameters(const Layer& layer, const Json& saved) {
  const c10::AutoGradMode no_grad(false);
  for (const auto& [name, tensor] : layer.parameters()) tensor.copy_(parity_tensor(saved.at(name)));
}

TEST(Architectures, GiveTheSameOutputsAndGradientsAsPythonsTorch) {
  const Json truth = load_parity("forward.json");
  ASSERT_EQ(truth.at("models").size(), 3U);
  for (const Json& model : truth.at("models")) {
    SCOPED_TRACE(model.at("model").get<std::string>());
    const at::Tensor image = parity_tensor(model.at("image"));
    const Choice<Layer> choice(model.at("model"),
                               parse_yaml(model.at("options").dump(), "options"));
    const auto layer = built(choice, float_spec(image.sizes().slice(1).vec()), {7, "net", 3});
    ASSERT_EQ(layer->parameters().size(), model.at("parameters").size());
    load_parameters(*layer, model.at("parameters"));
    const at::Tensor logits = (*layer)(image);
    expect_near(logits, parity_tensor(model.at("logits")), 1e-5);
    logits.square().sum().backward();
    for (const auto& [name, tensor] : layer->parameters()) {
      expect_near(tensor.grad(), parity_tensor(model.at("gradients").at(name)), 1e-4);
    }
  }
}

}  // namespace
}  // namespace hearth
