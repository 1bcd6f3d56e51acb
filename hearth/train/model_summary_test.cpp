// Tests of summaries: the numbers that are known of known models.
#include "hearth/train/model_summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hearth/network/model.h"
#include "hearth/nn/architectures/gpt.h"
#include "hearth/nn/architectures/multi_branch.h"
#include "hearth/nn/architectures/resnet.h"
#include "hearth/nn/architectures/siamese.h"
#include "hearth/nn/layers/attention/window_attention.h"
#include "hearth/nn/layers/composition/graph.h"
#include "hearth/nn/layers/composition/lora.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/composition/use.h"
#include "hearth/nn/layers/convolution/conv2d.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/pooling/average_pool2d.h"
#include "hearth/nn/layers/shape/pixel_shuffle.h"
#include "hearth/nn/layers/shape/pixel_unshuffle.h"
#include "hearth/nn/layers/shape/upsample2d.h"
#include "hearth/train/model_drawing.h"

namespace hearth {
namespace {

using testing::HasSubstr;

Spec picture_spec(int64_t side) {
  Spec spec;
  spec.shape = {3, side, side};
  return spec;
}

TEST(ModelSummary, KnowsWhatIsKnownOfResnet18) {
  const ModelSummary summary = summarize(layers::resnet({.depth = 18}), picture_spec(224), 1000, 4);
  const SummaryRow& whole = summary.rows.front();
  EXPECT_EQ(whole.learned, 11'689'512);
  EXPECT_EQ(whole.frozen, 0);
  EXPECT_NEAR(whole.multiply_adds, 1.814e9, 0.01e9);
  int64_t field = 0;
  for (const SummaryRow& row : summary.rows) field = std::max(field, row.field.value_or(0));
  EXPECT_EQ(field, 435);
  EXPECT_EQ(summary.parameter_bytes, 11'689'512U * 4);
  EXPECT_GT(summary.activation_bytes, 4U * 10'000'000);
  EXPECT_EQ(summary.training_bytes, summary.activation_bytes + 4 * summary.parameter_bytes);
}

// By layer, from the first on; nothing is told of one that has no window.
std::vector<int64_t> fields_of(const std::vector<Choice<Layer>>& chain) {
  std::vector<int64_t> fields;
  for (const SummaryRow& row : summarize(layers::sequential({chain}), picture_spec(8), 0, 1).rows)
    if (row.depth == 1) fields.push_back(row.field.value_or(0));
  return fields;
}

TEST(ModelSummary, SaysHowFarValuesSeeWhereAWindowTells) {
  const Choice<Layer> wide = layers::conv2d({.out_channels = 4, .kernel_size = 3, .padding = 1});
  EXPECT_THAT(fields_of({layers::pixel_unshuffle(), wide}), testing::ElementsAre(2, 6));
  EXPECT_THAT(fields_of({wide, layers::pixel_shuffle(), wide}), testing::ElementsAre(3, 0, 0));
  EXPECT_THAT(fields_of({wide, layers::upsample2d(), wide}), testing::ElementsAre(3, 0, 0));
  EXPECT_THAT(fields_of({wide, layers::window_attention({.heads = 1, .window = 4})}),
              testing::ElementsAre(3, 0));
}

TEST(ModelSummary, SaysWhatDependsOnLengths) {
  Spec sequence;
  sequence.shape = {kAnyLength, 4};
  const ModelSummary ragged =
      summarize(layers::sequential({{layers::linear({.out_features = 3})}}), sequence, 0, 1);
  EXPECT_TRUE(ragged.to_json(0).at("depends_on_lengths").get<bool>());
  EXPECT_THAT(ragged.text(0), HasSubstr("forward pass of a sample: what depends on the lengths"));
  sequence.shape = {2, 4};
  const ModelSummary fixed =
      summarize(layers::sequential({{layers::linear({.out_features = 3})}}), sequence, 0, 1);
  EXPECT_FALSE(fixed.is_ragged);
  EXPECT_THAT(fixed.text(0), HasSubstr(" FLOP\nmemory of a training step"));
}

TEST(ModelSummary, CountsNoFurtherThanItCan) {
  Model model("net", {layers::resnet({.depth = 20})});
  (void)model.build(picture_spec(32), 0, 10, at::kCPU);
  const ModelSummary summary = summary_of("net", model.layer(), INT64_MAX);
  EXPECT_EQ(summary.activation_bytes, UINT64_MAX);
  EXPECT_EQ(summary.training_bytes, UINT64_MAX);
  EXPECT_EQ(2 * activation_bytes_of(model.layer(), 3), activation_bytes_of(model.layer(), 6));
}

TEST(ModelSummary, ShowsATreeDownToADepth) {
  const ModelSummary summary = summarize(layers::resnet({.depth = 18}), picture_spec(64), 10, 1);
  EXPECT_THAT(summary.text(0), HasSubstr("resnet"));
  EXPECT_THAT(summary.text(1), HasSubstr("\n  layer1"));
  EXPECT_THAT(summary.text(0), testing::Not(HasSubstr("layer1")));
  EXPECT_LT(summary.to_json(1).at("layers").size(), summary.to_json(-1).at("layers").size());
}

TEST(ModelSummary, TellsFrozenParametersFromThoseThatLearn) {
  ModelOptions options;
  options.build = layers::lora({.layer = layers::linear({.out_features = 3}), .rank = 2});
  LayerEdit edit;
  edit.train_only = {"lora_*"};
  options.edits = {edit};
  Model model("net", options);
  Spec input;
  input.shape = {4};
  (void)model.build(input, 0, 0, at::kCPU);
  const ModelSummary summary = summary_of("net", model.layer(), 1);
  EXPECT_EQ(summary.rows.front().learned, 2 * 4 + 3 * 2);
  EXPECT_EQ(summary.rows.front().frozen, 3 * 4 + 3);
}

TEST(ModelSummary, CountsALayerAsOftenAsItIsCalled) {
  ModelOptions options;
  options.build = layers::siamese({.tower = layers::linear({.out_features = 3})});
  Model model("net", options);
  Spec input;
  input.shape = {4};
  const std::vector<Spec> inputs = {input, input};
  (void)model.build(inputs, BuildContext{0, "net", 0});
  const ModelSummary summary = summary_of("net", model.layer(), 5);
  EXPECT_EQ(summary.rows.front().multiply_adds, 2 * 4 * 3);
  EXPECT_EQ(summary.activation_bytes, 2 * 5 * 3 * sizeof(float));
  EXPECT_EQ(summary.rows.front().learned, 4 * 3 + 3);
}

TEST(ModelSummary, KnowsTheSizeOfEveryCall) {
  const ModelSummary summary = summarize(
      layers::graph(
          {.nodes = {named(layers::conv2d({.out_channels = 3, .kernel_size = 3, .padding = 1}),
                           "paint"),
                     layers::average_pool2d({.kernel_size = 2}), layers::use({"paint"})}}),
      picture_spec(8), 0, 1);
  EXPECT_EQ(summary.rows.front().multiply_adds, (8 * 8 + 4 * 4) * 3 * 3 * 9);
  EXPECT_EQ(summary.activation_bytes, 3 * (8 * 8 + 2 * 4 * 4) * sizeof(float));
}

// Of a picture of 6x4 points, filled up to 6x6 = four windows of nine places.
TEST(ModelSummary, CountsAllWindowsAndOnlyWhatTheySee) {
  const Choice<Layer> attention = layers::window_attention({.heads = 1, .window = 3});
  Spec input;
  input.shape = {8, 6, 4};
  const ModelSummary summary = summarize(attention, input, 0, 1);
  EXPECT_EQ(summary.rows.front().multiply_adds, 36 * (8 * 24 + 8 * 8) + 2 * 36 * 9 * 8);
}

TEST(ModelSummary, SaysWhatEachOutputIs) {
  ModelOptions options;
  options.build = layers::multi_branch(
      {.branches = {{.name = "color",
                     .network = layers::linear({.out_features = 6}),
                     .heads = {{.label = "color"}, {.name = "code", .size = 2}}}}});
  Model model("net", options);
  Spec input;
  input.shape = {4};
  BuildContext context{0, "net", 0};
  context.targets = {{"color", 5}};
  (void)model.build(std::span(&input, 1), context);
  const ModelSummary summary = summary_of("net", model.layer(), 1);
  ASSERT_EQ(summary.outputs.size(), 2U);
  EXPECT_EQ(summary.outputs[1].name, "color_code");
  EXPECT_EQ(summary.outputs[1].label, "");
  EXPECT_THAT(summary.text(0),
              HasSubstr("gives color_scores: float32 [B, 5], 5 classes, scores of 'color'\n"
                        "gives color_code: float32 [B, 2]\n"));
  EXPECT_EQ(summary.to_json(0).at("outputs")[0].at("label"), "color");
}

TEST(ModelDrawing, FoldsWhatIsRepeated) {
  ModelOptions options;
  options.build = layers::resnet({.depth = 20});
  Model model("net", options);
  (void)model.build(picture_spec(32), 0, 10, at::kCPU);
  const ModelDrawing drawing("net", model.layer(), 2);
  EXPECT_THAT(drawing.dot(), HasSubstr(" x 3"));
  EXPECT_THAT(drawing.dot(), HasSubstr("digraph"));
  EXPECT_THAT(drawing.svg(), HasSubstr("<svg"));
  EXPECT_THAT(drawing.svg(), HasSubstr(" x 3"));
}

}  // namespace
}  // namespace hearth
