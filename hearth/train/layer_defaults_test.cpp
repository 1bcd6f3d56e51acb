// Options that many layers share: `defaults` of scopes, `activation`, `regularize`, from YAML and
// from C++.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hearth/base/error.h"
#include "hearth/base/message_of_test.h"
#include "hearth/config/yaml.h"
#include "hearth/data/sources/digits.h"
#include "hearth/experiment/load.h"
#include "hearth/network/model.h"
#include "hearth/nn/blocks/residual_block.h"
#include "hearth/nn/layers/activation/relu.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/convolution/conv2d.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/normalization/batch_norm2d.h"
#include "hearth/optim/optimizers/adamw.h"
#include "hearth/train/live_catalog.h"
#include "hearth/train/run_config.h"

namespace hearth {
namespace {

using testing::AllOf;
using testing::HasSubstr;

Node effective_of(const std::string& yaml) {
  return load_experiment(
             parse_yaml("data: {train: digits}\noptimizer: adamw\n" + yaml, "mine.yaml"), {},
             live_catalog())
      .effective;
}

std::unique_ptr<Model> built_model(const Node& effective) {
  const ExperimentOptions options = ExperimentOptions::schema().read(effective);
  auto model = std::make_unique<Model>("net", options.models.at("net"));
  Spec image;
  image.shape = {2, 8, 8};
  (void)model->build(image, 7, 3, at::kCPU);
  return model;
}

std::unique_ptr<Model> built_model(const std::string& yaml) {
  return built_model(effective_of(yaml));
}

std::string option_of(Model& model, const std::string& path, const std::string& option) {
  return model.layer().find(path)->choice().options().find(option)->text();
}

constexpr const char* kConvolutions = R"(
defaults: {conv2d: {bias: false}, batch_norm2d: {momentum: 0.05}}
model:
  sequential:
    layers:
      - conv2d: {out_channels: 4}
      - batch_norm2d
      - residual_block: {out_channels: 6}
)";

TEST(Defaults, ReachLayersOfTheConfigAndThoseThatBlocksAreMadeOf) {
  const auto model = built_model(kConvolutions);
  EXPECT_EQ(model->layer().find("0")->tree().find_parameter("bias"), nullptr);
  for (const char* norm : {"1", "2.bn1", "2.bn2", "2.downsample.1"})
    EXPECT_EQ(option_of(*model, norm, "momentum"), "0.05") << norm;
}

TEST(Defaults, AreTheSameFromTheConfigThatARunKeeps) {
  const Node once = effective_of(kConvolutions);
  const Node kept = parse_yaml(to_yaml(once), "config.yaml");
  const auto again = built_model(load_experiment(kept, {}, live_catalog()).effective);
  EXPECT_EQ(again->layer().find("0")->tree().find_parameter("bias"), nullptr);
  EXPECT_EQ(option_of(*again, "2.bn2", "momentum"), "0.05");
}

TEST(Defaults, GiveWayToInnerOnesAndToTheLayerItself) {
  const auto model = built_model(R"(
defaults: {conv2d: {bias: false, out_channels: 3}}
model:
  sequential:
    layers:
      - conv2d: {bias: true}
      - sequential: {defaults: {conv2d: {bias: true}}, layers: [conv2d, {conv2d: {bias: false}}]}
      - conv2d: {kernel_size: 1}
)");
  const auto has_bias = [&](const char* path) {
    return model->layer().find(path)->tree().find_parameter("bias") != nullptr;
  };
  EXPECT_TRUE(has_bias("0"));
  EXPECT_TRUE(has_bias("1.0"));
  EXPECT_FALSE(has_bias("1.1"));
  EXPECT_FALSE(has_bias("2"));
  EXPECT_EQ(model->layer().output_spec().shape, (std::vector<int64_t>{3, 2, 2}));
}

TEST(Defaults, ComeFromCppTooWhereALayerSaysNothingElse) {
  ExperimentOptions options;
  options.data.train = sources::digits({.split = "train"});
  options.optimizer = optimizers::adamw();
  options.model =
      layers::sequential({{layers::conv2d({.out_channels = 4, .bias = true}),
                           layers::residual_block({4}), layers::batch_norm2d({.momentum = 0.3})}});
  options.defaults = LayerDefaults()
                         .with("conv2d", layers::Conv2dOptions{.bias = false})
                         .with("batch_norm2d", layers::BatchNorm2dOptions{.momentum = 0.05});
  const auto model = built_model(effective_config(options));
  EXPECT_EQ(model->layer().find("0")->tree().find_parameter("bias"), nullptr);
  EXPECT_EQ(option_of(*model, "1.bn1", "momentum"), "0.05");
  EXPECT_EQ(option_of(*model, "2", "momentum"), "0.3");
}

std::string config_fault(const std::string& yaml) {
  return message_of<ConfigError>([&] { (void)effective_of(yaml); });
}

std::string model_fault(const std::string& yaml) {
  return message_of<GraphError>([&] { (void)built_model(yaml); });
}

TEST(Defaults, SayWhichLayerOrOptionIsUnknown) {
  EXPECT_EQ(config_fault("model: lenet\ndefaults: {conv2dd: {bias: false}}"),
            "mine.yaml:4:12: defaults: expected a component of kind layer, but got 'conv2dd'. Did "
            "you mean 'conv2d'?");
  EXPECT_EQ(config_fault("model: lenet\ndefaults: {conv2d: {bais: false}}"),
            "mine.yaml:4:21: defaults.conv2d: there is no option 'bais'. Did you mean 'bias'?");
  EXPECT_THAT(config_fault("model: lenet\ndefaults: {conv2d: {bias: 3}}"),
              HasSubstr("mine.yaml:4:27: defaults.conv2d.bias: expected"));
}

TEST(Defaults, ThatReachNothingAreFaults) {
  EXPECT_THAT(model_fault("model: {sequential: {layers: [{conv2d: {out_channels: 2}}]}}\n"
                          "defaults: {conv1d: {bias: false}}"),
              AllOf(HasSubstr("mine.yaml:4:12: "),
                    HasSubstr("defaults: no layer of 'net' is a conv1d. Did you mean 'conv2d'?")));
  EXPECT_THAT(model_fault("model: {sequential: {layers: [{conv2d: {out_channels: 2}}, {sequential: "
                          "{layers: [relu], defaults: {conv2d: {bias: false}}}}]}}"),
              HasSubstr("defaults: no layer of 'net.1' is a conv2d."));
}

TEST(Activation, IsALayerAfterTheOneThatSaysIt) {
  const auto model = built_model(R"(
defaults: {linear: {activation: relu}}
model:
  sequential:
    layers: [flatten, {linear: {out_features: 4}}, {linear: {out_features: 3, activation: tanh}}]
)");
  std::vector<std::string> names;
  for (const auto& [name, child] : model->layer().children()) names.push_back(name);
  EXPECT_THAT(names, testing::ElementsAre("0", "1", "1_activation", "2", "2_activation"));
  EXPECT_EQ(model->layer().find("2_activation")->choice().name(), "tanh");
  ASSERT_EQ(model->layer().computed_along().size(), 1U);
  EXPECT_EQ(model->layer().computed_along()[0]->path(), "net.1_activation");
}

TEST(Activation, IsRefusedWhereNothingComesAfterTheLayer) {
  const auto build = [] {
    (void)built_model("model: {linear: {out_features: 3, activation: relu}}");
  };
  EXPECT_THAT(message_of<ConfigError>(build),
              HasSubstr("linear says 'activation', but only a layer of a sequential, a graph or a "
                        "block can. Put it into one."));
}

TEST(LayerPrices, BecomeAPartOfTheLossWithALineInTheLog) {
  const Node effective = effective_of(R"(
model: {mlp: {hidden: [4], regularize: {'*': {l2: 0.1}, output: {l1: 0.01}}}}
loss: cross_entropy
)");
  const std::vector<Node>& ops = effective.find("network")->items();
  std::vector<std::string> names;
  for (const Node& op : ops) names.push_back(op.keys().front());
  EXPECT_THAT(names,
              testing::ElementsAre("call", "cross_entropy", "softmax", "weight_penalty", "update"));
  EXPECT_EQ(ops[3].find("weight_penalty")->find("of_layers")->text(), "true");
  EXPECT_EQ(ops[4].find("update")->find("loss")->text(), "loss_with_layer_penalty");
  EXPECT_EQ(effective.find("metrics")->items().back().find("loss")->find("in")->text(),
            "layer_penalty");
  // The config that a run keeps has it already.
  const Node kept = parse_yaml(to_yaml(effective), "config.yaml");
  EXPECT_EQ(load_experiment(kept, {}, live_catalog()).effective, effective);
}

}  // namespace
}  // namespace hearth
