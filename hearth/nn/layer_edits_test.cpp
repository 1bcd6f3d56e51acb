// Surgery: replacing, inserting, removing and freezing by path.
#include "hearth/nn/layer_edits.h"

#include <ATen/ops/zeros.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "hearth/config/yaml.h"
#include "hearth/nn/architectures/gpt.h"
#include "hearth/nn/architectures/mlp.h"
#include "hearth/nn/architectures/resnet.h"
#include "hearth/nn/blocks/cbam.h"
#include "hearth/nn/blocks/patch_merging.h"
#include "hearth/nn/blocks/swin_block.h"
#include "hearth/nn/blocks/vit_block.h"
#include "hearth/nn/layer_fixture.h"
#include "hearth/nn/layers/composition/graph.h"
#include "hearth/nn/layers/composition/use.h"
#include "hearth/nn/layers/linear.h"

namespace hearth {
namespace {

using testing::ElementsAre;

LayerEdits edits_of(const std::string& yaml) {
  return LayerEdits(TypeOf<std::vector<LayerEdit>>::read(parse_yaml(yaml, "net.yaml")), "net");
}

std::unique_ptr<Layer> edited(const Choice<Layer>& choice, const Spec& input,
                              const std::string& yaml) {
  LayerEdits edits = edits_of(yaml);
  auto layer = built(choice, input, {.seed = 7, .path = "net", .edits = &edits});
  edits.finish(*layer);
  return layer;
}

std::string edit_fault(const std::string& yaml) {
  try {
    (void)edited(layers::mlp({.hidden = {4}, .classes = 2}), float_spec({3}), yaml);
  } catch (const GraphError& error) {
    return error.what();
  }
  return "no fault";
}

std::vector<std::string> names_below(const Layer& layer) {
  std::vector<std::string> names;
  for (const auto& [name, child] : layer.children()) names.push_back(name);
  return names;
}

const Choice<Layer> kSmall = layers::mlp({.hidden = {4}, .classes = 2});

TEST(LayerEdits, ReplaceALayerUnderItsName) {
  const auto layer = edited(kSmall, float_spec({3}), "[{replace: {at: relu1, with: tanh}}]");
  EXPECT_THAT(names_below(*layer), ElementsAre("flatten", "hidden1", "relu1", "output"));
  EXPECT_EQ(layer->find("relu1")->choice().name(), "tanh");
}

TEST(LayerEdits, InsertALayerAfterAnother) {
  const auto layer = edited(kSmall, float_spec({3}),
                            "[{insert_after: {at: hidden1, layer: layer_norm}}, {insert_after: "
                            "{at: relu1, layer: {linear: {out_features: 5}}, name: more}}]");
  EXPECT_THAT(names_below(*layer),
              ElementsAre("flatten", "hidden1", "hidden1_layer_norm", "relu1", "more", "output"));
  EXPECT_EQ(layer->find("output")->input_spec().text(), "float32 [B, 5]");
}

TEST(LayerEdits, RemoveALayer) {
  const auto layer = edited(kSmall, float_spec({3}), "[{remove: relu1}, {remove: flatten}]");
  EXPECT_THAT(names_below(*layer), ElementsAre("hidden1", "output"));
  EXPECT_EQ((*layer)(random_batch({3})).size(1), 2);
}

TEST(LayerEdits, ReachEveryLayerThatFitsAPattern) {
  const auto layer =
      edited(layers::resnet({.depth = 20, .classes = 3, .width = 4}), float_spec({3, 8, 8}),
             "[{replace: {at: 'layer?.*.relu', with: silu}}, {freeze: 'layer1.*'}]");
  EXPECT_EQ(layer->matching("layer*.relu").size(), 9U);
  for (const Layer* relu : layer->matching("layer*.relu")) EXPECT_EQ(relu->choice().name(), "silu");
  EXPECT_EQ(layer->find("relu")->choice().name(), "relu");
  for (const auto& [name, tensor] : layer->parameters())
    EXPECT_EQ(tensor.requires_grad(), !name.starts_with("layer1.")) << name;
}

TEST(LayerEdits, ReplaceAChildThatALayerMakesByItself) {
  const auto layer = edited(layers::gpt({.layers = 1, .width = 4, .heads = 2}), token_spec(3, 5),
                            "[{replace: {at: ln_f, with: {layer_norm: {bias: false}}}}]");
  EXPECT_EQ(layer->find("ln_f")->parameter_count(), 4);
}

TEST(LayerEdits, FreezeALayerOrAParameterByItsPath) {
  const auto layer = edited(kSmall, float_spec({3}), "[{freeze: hidden1}, {freeze: output.bias}]");
  std::vector<std::string> learning;
  for (const auto& [name, tensor] : layer->parameters())
    if (tensor.requires_grad()) learning.push_back(name);
  EXPECT_THAT(learning, ElementsAre("output.weight"));
}

TEST(LayerEdits, SayWhichOneMetNothingAndWhatIsNear) {
  EXPECT_EQ(edit_fault("[{remove: relu1},\n {replace: {at: hiden1, with: relu}}]"),
            "net.yaml:2:2: replace: no layer of 'net' is called 'hiden1'. Did you mean 'hidden1'?");
  EXPECT_EQ(edit_fault("[{freeze: outptu.bias}]"),
            "net.yaml:1:2: freeze: no layer of 'net' is called 'outptu.bias'. Did you mean "
            "'output.bias'?");
}

std::vector<std::string> learning_in(const Layer& layer) {
  std::vector<std::string> names;
  for (const auto& [name, tensor] : layer.parameters())
    if (tensor.requires_grad()) names.push_back(name);
  return names;
}

TEST(LayerEdits, NeverMeetWhatTheyMakeThemselves) {
  const auto replaced = edited(
      kSmall, float_spec({3}),
      "[{replace: {at: '*', with: {sequential: {layers: [{linear: {out_features: 2}}, relu]}}}}]");
  EXPECT_THAT(names_below(*replaced), ElementsAre("flatten", "hidden1", "relu1", "output"));
  EXPECT_EQ(replaced->matching("*").size(), 12U);
  const auto inserted =
      edited(kSmall, float_spec({3}),
             "[{insert_after: {at: '*', layer: {sequential: {layers: [relu, tanh]}}}}]");
  EXPECT_EQ(inserted->children().size(), 8U);
  EXPECT_EQ(inserted->matching("*").size(), 16U);
  const auto inside = edited(layers::gpt({.layers = 1, .width = 4, .heads = 2}), token_spec(3, 5),
                             "[{replace: {at: '*ln_*', with: {sequential: {layers: [{layer_norm: "
                             "{name: ln_again}}]}}}}]");
  EXPECT_EQ(inside->matching("*ln_again").size(), 3U);
}

TEST(LayerEdits, NeverMeetWhatALaterOneMakes) {
  const auto layer = edited(kSmall, float_spec({3}),
                            "[{replace: {at: 'relu*', with: tanh}}, {insert_after: {at: relu1, "
                            "layer: relu, name: relu2}}]");
  EXPECT_EQ(layer->find("relu1")->choice().name(), "tanh");
  EXPECT_EQ(layer->find("relu2")->choice().name(), "relu");
  EXPECT_EQ(edit_fault("[{replace: {at: more, with: tanh}},\n {insert_after: {at: relu1, layer: "
                       "relu, name: more}}]"),
            "net.yaml:1:2: replace: 'more' is made by a later edit. Put this one after it.");
}

TEST(LayerEdits, SeeWhatThoseBeforeThemMade) {
  const auto layer = edited(
      kSmall, float_spec({3}),
      "[{replace: {at: relu1, with: {sequential: {layers: [relu, tanh]}}}}, {remove: relu1.1}, "
      "{insert_after: {at: relu1, layer: {linear: {out_features: 4, activation: relu}}, name: "
      "more}}, {remove: more_activation}, {replace: {at: relu1.0, with: silu}}]");
  EXPECT_THAT(names_below(*layer), ElementsAre("flatten", "hidden1", "relu1", "more", "output"));
  EXPECT_THAT(names_below(*layer->find("relu1")), ElementsAre("0"));
  EXPECT_EQ(layer->find("relu1.0")->choice().name(), "silu");
}

TEST(LayerEdits, FreezeWhatIsThereAlready) {
  const auto replaced =
      edited(kSmall, float_spec({3}),
             "[{freeze: '*'}, {replace: {at: output, with: {linear: {out_features: 2}}}}]");
  EXPECT_THAT(learning_in(*replaced), ElementsAre("output.weight", "output.bias"));
  EXPECT_EQ(edit_fault("[{freeze: output.*},\n {replace: {at: output, with: {linear: "
                       "{out_features: 2}}}}]"),
            "net.yaml:1:2: freeze: 'output.*' is made by a later edit. Put this one after it.");
}

TEST(LayerEdits, WrapInTheirOrderWithoutThawing) {
  const auto layer = edited(kSmall, float_spec({3}),
                            "[{freeze: hidden1}, {wrap: {with: {lora: {rank: 1}}, only: linear}}, "
                            "{insert_after: {at: relu1, layer: {linear: {out_features: 3}}, name: "
                            "more}}, {replace: {at: output, with: {linear: {out_features: 2}}}}]");
  EXPECT_EQ(layer->find("hidden1")->choice().name(), "lora");
  EXPECT_EQ(layer->find("more")->choice().name(), "linear");
  EXPECT_EQ(layer->find("output")->choice().name(), "linear");
  EXPECT_THAT(learning_in(*layer), ElementsAre("hidden1.lora_a", "hidden1.lora_b", "more.weight",
                                               "more.bias", "output.weight", "output.bias"));
  const auto normed = edited(kSmall, float_spec({3}),
                             "[{freeze: hidden1}, {wrap: {at: hidden1, with: weight_norm}}]");
  EXPECT_THAT(learning_in(*normed), ElementsAre("output.weight", "output.bias"));
}

TEST(LayerEdits, SayWhyWhatFitsWasNotChanged) {
  EXPECT_EQ(edit_fault("[{wrap: {with: lora, only: linaer}}]"),
            "net.yaml:1:2: wrap: no layer that fits '*' is called 'linaer'. Did you mean "
            "'linear'?");
  const Choice<Layer> shared =
      layers::graph({.nodes = {named(layers::linear({.out_features = 3}), "a"),
                               named(layers::use({.layer = "a"}), "b")}});
  try {
    (void)edited(shared, float_spec({3}), "[{replace: {at: b, with: relu}}]");
    FAIL();
  } catch (const GraphError& error) {
    EXPECT_STREQ(error.what(),
                 "net.yaml:1:2: replace: 'b' calls the layer of 'a' again. Name that "
                 "one.");
  }
}

TEST(LayerEdits, SayWhatCannotBeDone) {
  EXPECT_EQ(edit_fault("[{replace: {at: hidden1, with: conv2d}}]"),
            "net.yaml:1:32: net.hidden1 conv2d: needs an image [C, H, W], but the input is float32 "
            "[B, 3]. Put it "
            "before flatten, or give the model a key that holds images.");
}

const Choice<Layer> kTalker = layers::gpt({.layers = 1, .width = 4, .heads = 2});

std::vector<std::string> parameter_names(const Layer& layer) {
  std::vector<std::string> names;
  for (const auto& [name, tensor] : layer.parameters()) names.push_back(name);
  return names;
}

std::string fault_in_talker(const std::string& yaml) {
  try {
    (void)edited(kTalker, token_spec(3, 5), yaml);
  } catch (const Error& error) {
    return error.what();
  }
  return "no fault";
}

TEST(LayerEdits, LeaveAnIdentityWhereALayerHoldsWhatIsRemoved) {
  const auto whole = edited(kTalker, token_spec(3, 5), "[]");
  const auto layer =
      edited(kTalker, token_spec(3, 5), "[{remove: ln_f}, {remove: 'h.*.attn.c_proj'}]");
  EXPECT_EQ(layer->find("ln_f")->choice().name(), "identity");
  EXPECT_EQ(layer->find("h.0.attn.c_proj")->choice().name(), "identity");
  EXPECT_EQ(whole->parameter_count() - layer->parameter_count(), 2 * 4 + 4 * 4 + 4);
  const at::Tensor tokens = at::zeros({2, 3}, at::kLong);
  EXPECT_EQ((*layer)(tokens).sizes(), (*whole)(tokens).sizes());
}

// First values are for the layers that were there before.
TEST(LayerEdits, LeaveFirstValuesAloneThatAreTheirOwn) {
  const auto block = layers::vit_block({.heads = 2, .hidden = 8});
  const Spec sequence = float_spec({3, 4});
  const std::string out = "self_attention.out_proj";
  const auto removed = edited(block, sequence, "[{remove: " + out + "}, {remove: mlp}]");
  EXPECT_EQ(removed->find(out)->choice().name(), "identity");
  EXPECT_EQ(removed->find("mlp"), nullptr);
  const auto followed =
      edited(block, sequence,
             "[{insert_after: {at: " + out + ", layer: {layer_scale: {first: 3}}, name: more}}]");
  for (const auto& [name, tensor] : followed->find(out)->handles()) {
    if (name == "weight") continue;
    EXPECT_EQ(tensor.abs().max().item<double>(), name == "bias" ? 0 : 3) << name;
  }
}

TEST(LayerEdits, InsertBehindWhatALayerHoldsAndKeepItsNames) {
  const auto whole = edited(kTalker, token_spec(3, 5), "[]");
  const auto layer = edited(kTalker, token_spec(3, 5),
                            "[{insert_after: {at: ln_f, layer: {layer_scale: {first: 0}}}}]");
  std::vector<std::string> wanted = parameter_names(*whole);
  const auto after = std::find(wanted.begin(), wanted.end(), "ln_f.bias") + 1;
  wanted.insert(after, "ln_f.ln_f_layer_scale.weight");
  EXPECT_EQ(parameter_names(*layer), wanted);
  const at::Tensor tokens = at::zeros({2, 3}, at::kLong);
  EXPECT_GT((*whole)(tokens).abs().max().item<double>(), 0);
  EXPECT_EQ((*layer)(tokens).abs().max().item<double>(), 0);
}

// In the order that a description would give: the latest insertion comes first, wraps stay inside.
TEST(LayerEdits, KeepWhatFollowsALayerThatIsChangedLater) {
  const auto layer = edited(
      kTalker, token_spec(3, 5),
      "[{insert_after: {at: lm_head, layer: tanh, name: last}}, {insert_after: {at: lm_head, "
      "layer: "
      "{layer_norm: {bias: false}}, name: norm}}, {wrap: {at: lm_head, with: {lora: {rank: 1}}, "
      "only: linear}}, {freeze: lm_head.norm}, {replace: {at: lm_head.last, with: relu}}]");
  EXPECT_THAT(parameter_names(*layer->find("lm_head")),
              ElementsAre("lora_a", "lora_b", "weight", "norm.weight"));
  EXPECT_FALSE(layer->find("lm_head.norm")->handles().front().second.requires_grad());
  const at::Tensor scores = (*layer)(at::zeros({2, 3}, at::kLong));
  EXPECT_EQ(scores.min().item<double>(), 0);
  const auto replaced =
      edited(kTalker, token_spec(3, 5),
             "[{insert_after: {at: ln_f, layer: {layer_scale: {first: 0}}, name: more}}, {replace: "
             "{at: ln_f, with: {layer_norm: {bias: false}}}}]");
  EXPECT_THAT(parameter_names(*replaced->find("ln_f")), ElementsAre("weight", "more.weight"));
}

TEST(LayerEdits, SayWhatCannotBePutBehindAnother) {
  const std::string twice =
      "[{insert_after: {at: ln_f, layer: relu, name: a}},\n {insert_after: {at: ln_f, layer: tanh, "
      "name: a}}]";
  EXPECT_EQ(fault_in_talker(twice),
            "net.yaml:1:35: net.ln_f: a layer behind it is called 'a', but so is one below it. "
            "Give it another name.");
  EXPECT_EQ(fault_in_talker("[{insert_after: {at: ln_f, layer: relu, name: a.b}}]"),
            "net.yaml:1:35: net.ln_f: a layer behind it is called 'a.b', but dots part the names "
            "of a path. Give it another name.");
}

TEST(LayerEdits, SayThatALayerCannotComputeWithWhatTheyMade) {
  EXPECT_THAT(
      fault_in_talker("[{replace: {at: 'h.*.attn.c_attn', with: {linear: {out_features: 7}}}}]"),
      testing::StartsWith("net.yaml:1:51: net.h.0.attn self_attention: cannot compute with "
                          "what the edits made of it: 'net.h.0.attn.c_attn', by now "
                          "linear, gives float32 [B, 3, 7]. A layer that it holds must "
                          "give what the one before the edit gave. (net.h.0.attn: "));
  EXPECT_THAT(fault_in_talker("[{replace: {at: lm_head, with: {linear: {out_features: 7}}}}]"),
              testing::EndsWith("(net: gives [7, 3] instead of [5, 3].)"));
  EXPECT_THAT(fault_in_talker("[{remove: lm_head}]"),
              testing::HasSubstr("'net.lm_head', by now identity, gives float32 [B, 3, 4]"));
}

TEST(LayerEdits, ReachIntoBlocksThatDescribeThemselves) {
  const auto block =
      edited(layers::swin_block({.heads = 2, .window = 2, .drop_path = 0.1}), float_spec({4, 4, 4}),
             "[{remove: norm1}, {insert_after: {at: mlp, layer: layer_scale}}]");
  EXPECT_THAT(names_below(*block), ElementsAre("attn", "stochastic_depth", "norm2", "mlp", "add_1",
                                               "points", "mlp_layer_scale", "add_2", "image"));
  EXPECT_EQ((*block)(random_batch({4, 4, 4})).size(1), 4);
  const auto merging = edited(layers::patch_merging(), float_spec({2, 4, 4}), "[{remove: norm}]");
  EXPECT_THAT(names_below(*merging), ElementsAre("reduction", "neighbours", "points", "image"));
  const auto weighing = edited(layers::cbam({.reduction = 2, .kernel_size = 3}),
                               float_spec({4, 5, 5}), "[{remove: channel_weights}]");
  EXPECT_EQ((*weighing)(random_batch({4, 5, 5})).size(1), 4);
}

TEST(LayerEdits, SayThatATiedHeadNeedsItsTable) {
  const Choice<Layer> tied = layers::gpt({.layers = 1, .width = 4, .heads = 2, .tied = true});
  try {
    (void)edited(tied, token_spec(3, 5), "[{remove: wte}]");
    FAIL();
  } catch (const GraphError& error) {
    EXPECT_STREQ(error.what(),
                 "net gpt: its head uses the weight [5, 4] of 'wte', but identity there has none "
                 "such. Keep that layer, or give the head a weight of its own.");
  }
}

}  // namespace
}  // namespace hearth
