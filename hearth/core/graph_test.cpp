// The plan compiler: schedules, edges, pruning, values, and the whole text of every fault.
#include "hearth/core/graph.h"

#include <gtest/gtest.h>

#include "hearth/base/error.h"

namespace hearth {
namespace {

Spec float_spec(std::vector<int64_t> shape) {
  Spec spec;
  spec.shape = std::move(shape);
  return spec;
}

// A node whose outputs have the shape of its first input, or [1, 8, 8] for a source.
GraphNode make_node(std::string name, Place place, std::vector<std::string> reads,
                    std::vector<std::string> writes) {
  GraphNode node;
  node.name = std::move(name);
  node.place = place;
  node.reads = std::move(reads);
  node.writes = std::move(writes);
  node.infer = [count = node.writes.size()](const std::vector<Spec>& inputs) {
    return std::vector<Spec>(count, inputs.empty() ? float_spec({1, 8, 8}) : inputs.front());
  };
  return node;
}

// source -> normalize -> call -> loss -> update, and a metric.
std::vector<GraphNode> supervised() {
  std::vector<GraphNode> nodes = {
      make_node("data.train digits", Place::kSource, {}, {"image", "label"}),
      make_node("data.ops[0] normalize", Place::kSample, {"image"}, {"image"}),
      make_node("network[0] call", Place::kNetwork, {"image"}, {"logits"}),
      make_node("network[1] cross_entropy", Place::kNetwork, {"logits", "label"}, {"loss"}),
      make_node("network[2] update", Place::kNetwork, {"loss"}, {}),
      make_node("metrics[0] accuracy", Place::kRecord, {"logits", "label"}, {})};
  nodes[4].has_effect = true;
  nodes[4].modes = Mode::kTrain;
  nodes[5].has_effect = true;
  nodes[5].modes = {Mode::kTrain, Mode::kEval};
  return nodes;
}

std::vector<std::string> step_names(const Plan& plan, const std::vector<GraphNode>& nodes) {
  std::vector<std::string> names;
  for (const PlanStep& step : plan.steps) names.push_back(nodes[step.node].name);
  return names;
}

std::string fault_of(const std::vector<GraphNode>& nodes, const CompileRequest& request = {}) {
  try {
    (void)compile(nodes, request);
  } catch (const GraphError& error) {
    return error.what();
  }
  return "no fault";
}

TEST(Compile, KeepsEverythingThatTrainingNeeds) {
  const auto nodes = supervised();
  const Plan plan = compile(nodes, {.mode = Mode::kTrain});
  EXPECT_EQ(plan.steps.size(), nodes.size());
  EXPECT_TRUE(plan.pruned.empty());
}

TEST(Compile, PrunesANodeWhoseOutputNobodyNeedsAndSaysWhy) {
  const auto nodes = supervised();
  const Plan plan = compile(nodes, {.mode = Mode::kEval});
  ASSERT_EQ(plan.pruned.size(), 2u);
  EXPECT_EQ(plan.pruned[0].reason, "nobody needs 'loss'");
  EXPECT_EQ(plan.pruned[1].reason, "lives in train only");
}

TEST(Compile, SaysWhoDroppedAKeyThatIsReadLater) {
  auto nodes = supervised();
  GraphNode drop{.name = "data.ops[1] drop", .place = Place::kSample, .drops = {"label"}};
  nodes.insert(nodes.begin() + 2, drop);
  EXPECT_NE(fault_of(nodes, {.mode = Mode::kTrain})
                .find("which nothing makes any more: data.ops[1] drop dropped it."),
            std::string::npos);
  const Plan plan = compile(nodes, {.mode = Mode::kInfer, .fetches = {"logits"}});
  EXPECT_EQ(plan.index_of("label"), -1);
  nodes[2].drops = {"lable"};
  EXPECT_NE(fault_of(nodes, {.mode = Mode::kTrain}).find("Did you mean 'label'?"),
            std::string::npos);
}

TEST(Compile, FetchingThePredictionNeedsNoLabel) {
  const auto nodes = supervised();
  const Plan plan = compile(nodes, {.mode = Mode::kInfer, .fetches = {"logits"}});
  EXPECT_EQ(
      step_names(plan, nodes),
      (std::vector<std::string>{"data.train digits", "data.ops[0] normalize", "network[0] call"}));
  EXPECT_EQ(plan.steps[0].outputs, (std::vector<int>{0, -1}));
  EXPECT_EQ(plan.index_of("label"), -1);
}

TEST(Compile, GivesEachVersionOfAKeyAValueOfItsOwn) {
  const auto nodes = supervised();
  const Plan plan = compile(nodes, {.mode = Mode::kTrain});
  EXPECT_NE(plan.steps[1].inputs[0], plan.steps[1].outputs[0]);
  EXPECT_EQ(plan.steps[2].inputs[0], plan.steps[1].outputs[0]);
  EXPECT_FALSE(plan.values[static_cast<size_t>(plan.steps[1].inputs[0])].crosses_to_network);
  EXPECT_TRUE(plan.values[static_cast<size_t>(plan.steps[1].outputs[0])].crosses_to_network);
}

TEST(Compile, AFeedStandsInForWhoeverWouldMakeIt) {
  const auto nodes = supervised();
  const Plan plan =
      compile(nodes, {.mode = Mode::kInfer,
                      .fetches = {"loss"},
                      .feeds = {{"logits", float_spec({10})}, {"label", float_spec({})}}});
  EXPECT_EQ(step_names(plan, nodes), (std::vector<std::string>{"network[1] cross_entropy"}));
}

TEST(Compile, SignatureChangesWithScheduledValues) {
  auto nodes = supervised();
  const std::string before = compile(nodes, {}).signature;
  nodes[1].signature = "{mean: 2}";
  EXPECT_NE(compile(nodes, {}).signature, before);
}

TEST(Compile, NamesTheNearestKeyOfAMissingOne) {
  auto nodes = supervised();
  nodes[3].reads[1] = "lable";
  nodes[3].mark = {std::make_shared<std::string>("digits.yaml"), 12, 5};
  EXPECT_EQ(
      fault_of(nodes),
      "digits.yaml:12:5: in mode train: network[1] cross_entropy reads 'lable', which nothing "
      "makes. Did you mean 'label'?");
}

TEST(Compile, DoesNotLetAnOpWithAMisspeltKeyVanish) {
  auto nodes = supervised();
  nodes[1].reads = nodes[1].writes = {"imagee"};
  EXPECT_EQ(
      fault_of(nodes),
      "in mode train: data.ops[0] normalize reads 'imagee', which nothing makes. Did you mean "
      "'image'?");
}

TEST(Compile, SaysThatAKeyLivesInAnotherMode) {
  auto nodes = supervised();
  nodes[2].modes = Mode::kTrain;
  EXPECT_EQ(fault_of(nodes, {.mode = Mode::kEval}),
            "in mode eval: metrics[0] accuracy reads 'logits', which nothing makes in this mode: "
            "network[0] call makes it, but lives in train only. If it is for training alone, say "
            "`when: train`.");
}

TEST(Compile, SaysThatAKeyIsSwitchedOffInThisEpoch) {
  auto nodes = supervised();
  nodes[2].is_active = false;
  EXPECT_EQ(fault_of(nodes, {.mode = Mode::kEval, .when = "in epoch 7"}),
            "in mode eval: metrics[0] accuracy reads 'logits', which nothing makes in epoch 7: "
            "network[0] call makes it, but is off then.");
}

TEST(Compile, SaysThatAKeyIsMadeTooLate) {
  auto nodes = supervised();
  std::swap(nodes[2], nodes[3]);
  EXPECT_EQ(
      fault_of(nodes),
      "in mode train: network[1] cross_entropy reads 'logits', which nothing makes before it: "
      "network[0] call makes it, but comes later. Move it up.");
}

TEST(Compile, RefusesToOverwriteAKeyThatNobodyHasRead) {
  auto nodes = supervised();
  auto second = make_node("network[1] call", Place::kNetwork, {"image"}, {"logits"});
  nodes.insert(nodes.begin() + 3, second);
  EXPECT_EQ(
      fault_of(nodes),
      "in mode train: network[1] call overwrites 'logits' of network[0] call, which nobody has "
      "read. Give one of them another key.");
}

TEST(Compile, PassesOnWhatAnOpSaysOfShapes) {
  auto nodes = supervised();
  nodes[3].infer = [](const std::vector<Spec>&) -> std::vector<Spec> {
    throw GraphError("needs whole numbers.");
  };
  EXPECT_EQ(fault_of(nodes), "in mode train: network[1] cross_entropy needs whole numbers.");
  nodes[3].infer = [](const std::vector<Spec>&) -> std::vector<Spec> {
    throw GraphError("cross_entropy: needs whole numbers.");
  };
  EXPECT_EQ(fault_of(nodes), "in mode train: network[1] cross_entropy: needs whole numbers.");
}

TEST(Compile, NamesAFetchThatNothingMakes) {
  EXPECT_EQ(fault_of(supervised(), {.mode = Mode::kInfer, .fetches = {"logit"}}),
            "in mode infer: the fetch 'logit' is made by nothing. Did you mean 'logits'?");
}

TEST(Compile, GathersAllFaultsAtOnce) {
  auto nodes = supervised();
  nodes[3].reads[1] = "lable";
  nodes[5].reads[0] = "logit";
  EXPECT_EQ(
      fault_of(nodes),
      "in mode train: network[1] cross_entropy reads 'lable', which nothing makes. Did you mean "
      "'label'?\nin mode train: metrics[0] accuracy reads 'logit', which nothing makes. Did you "
      "mean 'logits'?");
}

// A source of tokens of any length, with an op at `place` behind it, and a network.
std::vector<GraphNode> ragged_nodes(Place place, const Spec& spec) {
  std::vector<GraphNode> nodes = {
      make_node("data.train lines", Place::kSource, {}, {"tokens"}),
      make_node("data.ops[0] op", place, {"tokens"}, {"tokens"}),
      make_node("network[0] call", Place::kNetwork, {"tokens"}, {"logits"})};
  nodes[0].infer = [spec](const std::vector<Spec>&) { return std::vector<Spec>{spec}; };
  return nodes;
}

TEST(Compile, RefusesAValueOfAnySizeAtTheBorderToTheNetwork) {
  const Spec tokens{.dtype = DType::kInt64, .shape = {kAnyLength}, .role = Role::kTokens};
  EXPECT_EQ(fault_of(ragged_nodes(Place::kSample, tokens), {.fetches = {"logits"}}),
            "in mode train: network[0] call reads 'tokens' as int64 [B, ?], which differs from "
            "sample to sample; the network takes values of one size. Put pad_to into data.ops, or "
            "pad_longest into data.batch_ops.");
  const Spec image{.dtype = DType::kUint8, .shape = {kAnyLength}, .role = Role::kEncodedImage};
  EXPECT_NE(fault_of(ragged_nodes(Place::kSample, image), {.fetches = {"tokens"}})
                .find("the fetch is 'tokens' as uint8 [B, ?], which differs from sample to sample; "
                      "the network takes values of one size. Put decode, and then resize, "),
            std::string::npos);
}

TEST(Compile, LetsThroughWhatABatchOpGaveOneShape) {
  const Spec tokens{.dtype = DType::kInt64, .shape = {kAnyLength}, .role = Role::kTokens};
  const auto nodes = ragged_nodes(Place::kBatch, tokens);
  const Plan plan = compile(nodes, {.fetches = {"logits"}});
  ASSERT_EQ(plan.values.size(), 3U);
  EXPECT_TRUE(plan.values[0].crosses_to_batch);
  EXPECT_FALSE(plan.values[0].crosses_to_network);
  EXPECT_TRUE(plan.values[1].crosses_to_network);
  EXPECT_FALSE(plan.values[1].crosses_to_batch);
}

TEST(Compile, GivesTheNetworkImagesWithTheirChannelsFirst) {
  const Spec image{.shape = {8, 9, 3}, .role = Role::kImage};
  const Plan plan = compile(ragged_nodes(Place::kSample, image), {.fetches = {"logits"}});
  EXPECT_EQ(plan.values[1].spec.text(), "float32 [B, 8, 9, 3]");
  EXPECT_EQ(plan.values[2].spec.text(), "float32 [B, 3, 8, 9]");
}

}  // namespace
}  // namespace hearth
