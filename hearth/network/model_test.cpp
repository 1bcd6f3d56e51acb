// Models: building once, state, weights, and finding them by name.
#include "hearth/network/model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "hearth/base/error.h"
#include "hearth/base/memory.h"
#include "hearth/base/message_of_test.h"
#include "hearth/network/network_fixture.h"
#include "hearth/nn/architectures/mlp.h"
#include "hearth/nn/layers/activation/relu.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/convolution/conv2d.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/pooling/global_average_pool.h"
#include "hearth/optim/optimizers/adamw.h"

namespace hearth {
namespace {

Model small_model(bool is_trainable = true) {
  return Model("net", {layers::mlp({.hidden = {4}}), optimizers::adamw({.lr = 0.1}), is_trainable});
}

void train_step(Model& model) {
  at::manual_seed(2);
  model.layer()(at::randn({2, 5})).square().sum().backward();
  model.optimizer()->step(Moment());
  for (const auto& [name, parameter] : model.layer().parameters()) {
    parameter.mutable_grad() = at::Tensor();
  }
}

TEST(Model, IsBuiltOnceForItsInput) {
  Model model = small_model();
  EXPECT_FALSE(model.is_built());
  const Spec output = model.build(sample_spec({5}), 7, 3, at::kCPU);
  const at::Tensor first = model.layer().parameters()[0].second.clone();
  EXPECT_EQ(model.build(sample_spec({5}), 8, 3, at::kCPU), output);
  EXPECT_TRUE(model.layer().parameters()[0].second.equal(first));
  EXPECT_EQ(output.text(), "float32 [B, 3], 3 classes");
}

TEST(Model, TakesWeightsWhenItIsBuiltLater) {
  Model saved = small_model();
  (void)saved.build(sample_spec({5}), 7, 3, at::kCPU);
  Model model = small_model();
  model.restore_weights(saved.weights());
  EXPECT_EQ(model.weights().tensors.size(), saved.weights().tensors.size());
  (void)model.build(sample_spec({5}), 8, 3, at::kCPU);
  EXPECT_TRUE(model.layer().parameters()[0].second.equal(saved.layer().parameters()[0].second));
}

TEST(Model, RefusesAnInputOfAnotherShape) {
  Model model = small_model();
  (void)model.build(sample_spec({5}), 7, 3, at::kCPU);
  try {
    (void)model.build(sample_spec({6}), 7, 3, at::kCPU);
    FAIL();
  } catch (const GraphError& error) {
    EXPECT_STREQ(error.what(),
                 "Model 'net' is built for float32 [B, 5], but is called with float32 [B, 6]: "
                 "net.hidden1: its weight is [4, 5], but this input needs [4, 6]. Only a model "
                 "whose parameters do not depend on the size takes several: put "
                 "global_average_pool before linear layers, or use inputs of one size.");
  }
}

Model image_model(std::vector<LayerEdit> edits = {}) {
  ModelOptions options;
  options.build =
      layers::sequential({{layers::conv2d({.out_channels = 16, .padding = 1}), layers::relu(),
                           layers::conv2d({.out_channels = 16, .padding = 1}),
                           layers::global_average_pool(), layers::linear()}});
  options.optimizer = optimizers::adamw({.lr = 0.1});
  options.edits = std::move(edits);
  return Model("net", options);
}

TEST(Model, TakesImagesOfOtherSizesWithTheSameParameters) {
  Model model = image_model();
  EXPECT_EQ(model.build(sample_spec({3, 8, 8}), 7, 3, at::kCPU).text(),
            "float32 [B, 3], 3 classes");
  const int64_t parameters = model.parameter_count();
  const at::Tensor first = model.layer().parameters()[0].second.clone();
  EXPECT_EQ(model.build(sample_spec({3, 12, 10}), 7, 3, at::kCPU).text(),
            "float32 [B, 3], 3 classes");
  EXPECT_EQ(model.parameter_count(), parameters);
  EXPECT_TRUE(model.layer().parameters()[0].second.equal(first));
  EXPECT_EQ(model.layer()(at::randn({2, 3, 12, 10})).size(1), 3);
}

TEST(Model, AnswersForTheShapeThatIsSelected) {
  Model model = image_model();
  const Spec small = sample_spec({3, 8, 8});
  const Spec large = sample_spec({3, 16, 16});
  (void)model.build(small, 7, 3, at::kCPU);
  const double work = model.layer().total_work();
  (void)model.build(large, 7, 3, at::kCPU);
  EXPECT_EQ(model.layer().find("2")->input_spec().text(), "float32 [B, 16, 8, 8]");
  model.select_shape(std::span(&large, 1));
  EXPECT_EQ(model.layer().find("2")->input_spec().text(), "float32 [B, 16, 16, 16]");
  EXPECT_GT(model.layer().total_work(), 3 * work);
  model.select_shape(std::span(&small, 1));
  EXPECT_EQ(model.layer().total_work(), work);
}

TEST(Model, GoesOnAfterAShapeThatDoesNotFit) {
  Model model = image_model();
  (void)model.build(sample_spec({3, 8, 8}), 7, 3, at::kCPU);
  EXPECT_THROW((void)model.build(sample_spec({4, 8, 8}), 7, 3, at::kCPU), GraphError);
  EXPECT_EQ(model.layer().input_spec().text(), "float32 [B, 3, 8, 8]");
  EXPECT_NO_THROW((void)model.build(sample_spec({3, 9, 9}), 7, 3, at::kCPU));
}

// Layers of as many numbers that none is too large by itself.
Model deep_model(int64_t layers, int64_t width, std::vector<LayerEdit> edits = {}) {
  ModelOptions options;
  options.build = layers::sequential({std::vector<Choice<Layer>>(
      static_cast<size_t>(layers), layers::linear({.out_features = width, .bias = false}))});
  options.optimizer = optimizers::adamw({.lr = 0.1});
  options.edits = std::move(edits);
  return Model("net", options);
}

TEST(Model, IsRefusedBeforeItTakesMemoryWhenItsLayersTogetherAreTooLarge) {
  const auto width = static_cast<int64_t>(std::sqrt(static_cast<double>(available_memory()) / 40));
  const uint64_t before = process_memory().peak_bytes;
  Model model = deep_model(12, width);
  const std::string message =
      message_of<GraphError>([&] { (void)model.build(sample_spec({width}), 7, 3, at::kCPU); });
  EXPECT_THAT(message, testing::HasSubstr(" beside those before it, but this machine has "));
  EXPECT_THAT(message, testing::HasSubstr("net."));
  EXPECT_LT(process_memory().peak_bytes - before, uint64_t{64} << 20);
}

TEST(Model, IsBuiltOnceMoreWhenItIsLargeAndFits) {
  constexpr int64_t kWidth = 2100;
  Model model = deep_model(2, kWidth, {{.freeze = "0.*"}});
  EXPECT_EQ(model.build(sample_spec({kWidth}), 7, 3, at::kCPU).shape.back(), kWidth);
  EXPECT_EQ(model.parameter_count(), 2 * kWidth * kWidth);
  EXPECT_TRUE(model.layer().handles()[0].second.is_cpu());
  EXPECT_FALSE(model.layer().find("0")->handles()[0].second.requires_grad());
  EXPECT_TRUE(model.layer().find("1")->handles()[0].second.requires_grad());
}

TEST(Model, FreezesWhatItsEditsName) {
  Model model = image_model({{.freeze = "0.*"}});
  (void)model.build(sample_spec({3, 8, 8}), 7, 3, at::kCPU);
  EXPECT_FALSE(model.layer().find("0")->handles()[0].second.requires_grad());
  EXPECT_TRUE(model.layer().find("2")->handles()[0].second.requires_grad());
}

TEST(Model, SameSeedGivesSameParametersAndNamesGiveDifferentOnes) {
  Model first = small_model();
  Model second = small_model();
  Model other("other", {layers::mlp({.hidden = {4}}), std::nullopt, true});
  for (Model* model : {&first, &second, &other}) {
    (void)model->build(sample_spec({5}), 7, 3, at::kCPU);
  }
  const auto weight = [](Model& model) { return model.layer().parameters()[0].second; };
  EXPECT_TRUE(weight(first).equal(weight(second)));
  EXPECT_FALSE(weight(first).equal(weight(other)));
}

TEST(Model, ContinuesToTheSameBitsAfterARestore) {
  Model whole = small_model();
  (void)whole.build(sample_spec({5}), 7, 3, at::kCPU);
  train_step(whole);
  const State saved = copy(whole.state());
  train_step(whole);
  Model resumed = small_model();
  (void)resumed.build(sample_spec({5}), 99, 3, at::kCPU);
  resumed.restore(saved);
  train_step(resumed);
  for (const auto& [name, tensor] : whole.state().tensors) {
    EXPECT_TRUE(resumed.state().tensor(name).equal(tensor)) << name;
  }
}

TEST(Model, WeightsComeAloneOrOutOfAWholeState) {
  Model model = small_model();
  (void)model.build(sample_spec({5}), 7, 3, at::kCPU);
  train_step(model);
  EXPECT_EQ(model.weights().tensors.size(), 4U);
  EXPECT_EQ(model.weights().tensors[0].first, "model/hidden1.weight");
  EXPECT_EQ(model.state().tensors.size(), 12U);
  Model reader("reader", {layers::mlp({.hidden = {4}}), std::nullopt, true});
  (void)reader.build(sample_spec({5}), 1, 3, at::kCPU);
  reader.restore_weights(model.state());
  EXPECT_TRUE(reader.weights().tensors[0].second.equal(model.weights().tensors[0].second));
}

TEST(Model, ThatIsNotTrainableHasNoGradients) {
  Model model = small_model(false);
  (void)model.build(sample_spec({5}), 7, 3, at::kCPU);
  EXPECT_FALSE(model.layer()(at::randn({2, 5})).requires_grad());
}

TEST(ModelSet, NamesTheNearestModel) {
  ModelSet models = models_of({layers::mlp(), std::nullopt, true}, "encoder");
  EXPECT_EQ(models.find("encoder").name(), "encoder");
  try {
    (void)models.find("encodr");
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(), "there is no model 'encodr'. Did you mean 'encoder'?");
  }
}

}  // namespace
}  // namespace hearth
