// Graphs of layers: branches, skips, shared weights, several values, and what can be wrong.
#include "hearth/nn/layers/composition/graph.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/relu.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hearth/base/message_of_test.h"
#include "hearth/config/yaml.h"
#include "hearth/nn/layer_fixture.h"
#include "hearth/nn/layers/activation/relu.h"
#include "hearth/nn/layers/composition/add.h"
#include "hearth/nn/layers/composition/use.h"
#include "hearth/nn/layers/linear.h"

namespace hearth {
namespace {

Choice<Layer> yaml_graph(const std::string& text) {
  return {"graph", parse_yaml(text, "net.yaml")};
}

std::vector<at::Tensor> call_all(Layer& layer, const std::vector<at::Tensor>& inputs,
                                 size_t outputs) {
  std::vector<at::Tensor> results(outputs);
  layer(inputs, results);
  return results;
}

std::vector<std::string> texts_of(const std::vector<Spec>& specs) {
  std::vector<std::string> texts;
  for (const Spec& spec : specs) texts.push_back(spec.text());
  return texts;
}

TEST(Graph, RunsBranchesAndSkips) {
  const auto layer = built(yaml_graph(R"({nodes: [
      {linear: {name: stem, out_features: 4}},
      {relu: {out: a}},
      {linear: {name: body, out_features: 4, out: b}},
      {add: {in: [a, b], out: c}},
      {concat: {in: [c, a]}}]})"),
                           float_spec({3}));
  EXPECT_THAT(names_of(layer->parameters()),
              testing::ElementsAre("stem.weight", "stem.bias", "body.weight", "body.bias"));
  const at::Tensor input = random_batch({3});
  const at::Tensor a = at::relu((*layer->find("stem"))(input));
  const at::Tensor b = (*layer->find("body"))(a);
  EXPECT_TRUE((*layer)(input).allclose(at::cat({a.add(b), a}, 1)));
  EXPECT_EQ(layer->output_spec().text(), "float32 [B, 8]");
}

TEST(Graph, HasTheGradientsOfDifferences) {
  expect_gradients_of(
      layers::graph(
          {.nodes = {wired(layers::linear({.out_features = 3}), {}, {"a"}), layers::relu(),
                     wired(layers::linear({.out_features = 3}), {}, {"b"}),
                     wired(layers::add(), {"b", "a"}), layers::relu()}}),
      {3});
}

TEST(Graph, SharesTheWeightsOfALayerThatIsUsedAgain) {
  const auto layer = registry<Layer>().make(yaml_graph(R"({inputs: [left, right], nodes: [
      {linear: {name: tower, in: left, out_features: 4}},
      {use: {layer: tower, in: right, out: other}}]})"));
  const std::vector<Spec> inputs = {float_spec({3}), float_spec({3})};
  const std::vector<Spec> outputs = layer->build(inputs, {7, "net", 0});
  EXPECT_THAT(texts_of(outputs), testing::ElementsAre("float32 [B, 4]", "float32 [B, 4]"));
  EXPECT_EQ(layer->parameter_count(), 3 * 4 + 4);
  const at::Tensor input = random_batch({3});
  const std::vector<at::Tensor> results = call_all(*layer, {input, input.add(1)}, 2);
  EXPECT_TRUE(results[0].equal((*layer->find("tower"))(input)));
  EXPECT_TRUE(results[1].equal((*layer->find("tower"))(input.add(1))));
}

TEST(Graph, UsesALayerForAnotherLengthToo) {
  const auto layer = built(yaml_graph(R"({nodes: [
      {layer_norm: {name: norm}},
      {global_average_pool: {in: norm, out: pooled}},
      {use: {layer: norm, name: again, in: input, out: plain}}]})"),
                           float_spec({2, 3, 4}));
  EXPECT_THAT(texts_of(layer->output_specs()),
              testing::ElementsAre("float32 [B, 2]", "float32 [B, 2, 3, 4]"));
}

TEST(Graph, GivesTheOutputsItNames) {
  const auto layer = built(yaml_graph(R"({outputs: [b, a], nodes: [
      {linear: {out_features: 4, out: a}},
      {linear: {out_features: 2, out: b}}]})"),
                           float_spec({3}));
  EXPECT_THAT(texts_of(layer->output_specs()),
              testing::ElementsAre("float32 [B, 2]", "float32 [B, 4]"));
  const at::Tensor input = random_batch({3});
  EXPECT_EQ(call_all(*layer, {input}, 2)[1].size(1), 4);
}

std::string fault_of(const std::string& nodes, const std::string& rest = "") {
  return build_fault(yaml_graph("{nodes: [\n" + nodes + "]" + rest + "}"), float_spec({3}));
}

TEST(Graph, SaysAtTheNodesLineWhatIsWrong) {
  EXPECT_EQ(fault_of("{linear: {name: stem, out_features: 3}},\n{add: {in: [stem, imput]}}"),
            "net.yaml:3:7: net.1 add reads 'imput', which nothing makes. Did you mean 'input'?");
  EXPECT_EQ(fault_of("{linear: {out: a, out_features: 3}},\n{linear: {out: a, out_features: 2}}"),
            "net.yaml:3:10: net.1 linear writes 'a', and so does net.0 linear. Give one of them "
            "another `out`.");
  EXPECT_EQ(fault_of("{linear: {name: a, out_features: 3}},\n{relu: {name: a}}"),
            "net.yaml:3:8: net.a relu has the name of another layer. Give one of them another "
            "name.");
  EXPECT_EQ(fault_of("{relu: {out: input}}"),
            "net.yaml:2:8: net.0 relu writes 'input', which is an input. Give it another `out`.");
}

TEST(Graph, RefusesCyclesAndValuesFromLater) {
  EXPECT_EQ(fault_of("{add: {in: [input, b], out: a}},\n{relu: {in: a, out: b}}"),
            "net.yaml:2:7: net.0 add needs its own result: 'b' <- 'a'. A graph has no cycles: let "
            "one of them read an earlier value.");
  EXPECT_EQ(fault_of("{relu: {in: b, out: a}},\n{relu: {in: input, out: b}}"),
            "net.yaml:2:8: net.0 relu reads 'b', which nothing makes before it: net.1 relu makes "
            "it, but comes later. Move it up.");
}

TEST(Graph, SaysWhichShapesDoNotFit) {
  EXPECT_EQ(fault_of("{linear: {out: a, out_features: 4}},\n{add: {in: [a, input]}}"),
            "net.yaml:3:7: net.1 add: needs values of one shape, but got float32 [B, 4] and "
            "float32 [B, 3]. Bring one into the other's shape, for instance with conv2d or "
            "upsample2d.");
  EXPECT_EQ(fault_of("{linear: {in: [input, input], out_features: 4}}"),
            "net.yaml:2:10: net.0: takes one input, but got 2 (float32 [B, 3]; float32 [B, 3]). "
            "Join them before it, for instance with concat or add.");
  EXPECT_EQ(fault_of("{linear: {out: [a, b], out_features: 4}}"),
            "net.yaml:2:10: net.0 linear: gives 1 value, but `out` names 2 (a, b).");
}

TEST(Graph, RefusesWhatNobodyNeedsAndOutputsThatNobodyMakes) {
  EXPECT_EQ(
      fault_of("{linear: {out: a, out_features: 4}},\n{relu: {in: input, out: b}}", ", outputs: a"),
      "net.yaml:3:8: net.1 relu makes 'b', which nobody reads. Read it, name it among the "
      "outputs, or leave it out.");
  EXPECT_EQ(fault_of("{linear: {name: scores, out_features: 4}}", ", outputs: score"),
            "net: gives 'score', which none of its layers makes. Did you mean 'scores'?\n"
            "net.yaml:2:10: net.scores linear makes 'scores', which nobody reads. Read it, name it "
            "among the outputs, or leave it out.");
}

TEST(Graph, SaysWhatCanBeUsed) {
  EXPECT_EQ(fault_of("{linear: {name: tower, out_features: 4}},\n{use: {layer: towr}}"),
            "net.yaml:3:7: net.1 use uses 'towr', but no layer before it has this name. Did you "
            "mean 'tower'?");
  EXPECT_EQ(fault_of("{use: {layer: b}},\n{linear: {name: b, out_features: 4}}"),
            "net.yaml:2:7: net.0 use uses 'b', which comes later. Move that one up.");
  EXPECT_EQ(build_fault(layers::use({.layer = "stem"}), float_spec({3})),
            "net use: calls 'stem' again, which only a node of a graph can. Put it in the nodes of "
            "a graph.");
}

TEST(Graph, SaysHowManyValuesItTakes) {
  const std::vector<Spec> two = {float_spec({3}), float_spec({4})};
  const auto layer = registry<Layer>().make(layers::graph({.nodes = {layers::relu()}}));
  try {
    (void)layer->build(two, {7, "net", 0});
    FAIL();
  } catch (const GraphError& error) {
    EXPECT_STREQ(error.what(),
                 "net: takes 1 input (input), but got 2 (float32 [B, 3]; float32 [B, 4]). Name as "
                 "many in `in`.");
  }
}

// A layer with the sum and the relu after it.
class FusedGraph : public testing::Test {
 protected:
  static std::unique_ptr<Layer> made(Kernels kernels) {
    return built(
        layers::graph(
            {.nodes = {wired(layers::linear({.out_features = 3}), {}, {"a"}, "first"),
                       wired(layers::linear({.out_features = 3}), {"input"}, {"b"}, "second"),
                       wired(layers::add(), {"a", "b"}, {}, "add"),
                       named(layers::relu(), "relu")}}),
        float_spec({3}), {.seed = 7, .path = "net", .kernels = kernels});
  }
  std::unique_ptr<Layer> plain_ = made(Kernels::kPlain);
  std::unique_ptr<Layer> fast_ = made(Kernels::kFast);
  at::Tensor input_ = random_batch({3});
};

TEST_F(FusedGraph, ComputesTheSumAndTheReluWithALayer) {
  std::vector<std::string> along;
  for (const Layer* layer : fast_->computed_along()) along.push_back(layer->path());
  EXPECT_THAT(along, testing::ElementsAre("net.add", "net.relu"));
  EXPECT_TRUE(plain_->computed_along().empty());
  EXPECT_TRUE((*fast_)(input_).allclose((*plain_)(input_)));
}

TEST_F(FusedGraph, LetsHooksOnAnyOfThemSeeWhatTheyWouldSee) {
  for (const char* name : {"first", "second", "add", "relu"}) {
    at::Tensor fast_value;
    at::Tensor plain_value;
    fast_->find(name)->add_hook_after([&](const Layer&, at::Tensor& value) { fast_value = value; });
    plain_->find(name)->add_hook_after(
        [&](const Layer&, at::Tensor& value) { plain_value = value; });
    EXPECT_TRUE((*fast_)(input_).allclose((*plain_)(input_))) << name;
    ASSERT_TRUE(fast_value.defined()) << name;
    EXPECT_TRUE(fast_value.allclose(plain_value)) << name;
    fast_->clear_hooks();
    plain_->clear_hooks();
  }
}

// Batch norm takes an activation along, a convolution does not.
class FusedActivation : public testing::Test {
 protected:
  static std::unique_ptr<Layer> made(Kernels kernels) {
    return built(
        {"sequential", parse_yaml("{layers: [{batch_norm2d: {name: norm}}, {relu6: {name: cut}}, "
                                  "{conv2d: {out_channels: 2, name: conv}}, {silu: {name: last}}]}",
                                  "net.yaml")},
        float_spec({3, 4, 4}), {.seed = 7, .path = "net", .kernels = kernels});
  }
  std::unique_ptr<Layer> plain_ = made(Kernels::kPlain);
  std::unique_ptr<Layer> fast_ = made(Kernels::kFast);
  at::Tensor input_ = random_batch({3, 4, 4});
};

TEST_F(FusedActivation, IsComputedByALayerThatTakesIt) {
  std::vector<std::string> along;
  for (const Layer* layer : fast_->computed_along()) along.push_back(layer->path());
  EXPECT_THAT(along, testing::ElementsAre("net.cut"));
  EXPECT_TRUE((*fast_)(input_).allclose((*plain_)(input_), 1e-4, 1e-6));
}

TEST_F(FusedActivation, LetsHooksSeeWhatTheyWouldSee) {
  for (const char* name : {"norm", "cut", "conv", "last"}) {
    at::Tensor fast_value;
    at::Tensor plain_value;
    fast_->find(name)->add_hook_after([&](const Layer&, at::Tensor& value) { fast_value = value; });
    plain_->find(name)->add_hook_after(
        [&](const Layer&, at::Tensor& value) { plain_value = value; });
    EXPECT_TRUE((*fast_)(input_).allclose((*plain_)(input_), 1e-4, 1e-6)) << name;
    ASSERT_TRUE(fast_value.defined()) << name;
    EXPECT_TRUE(fast_value.allclose(plain_value, 1e-4, 1e-6)) << name;
    fast_->clear_hooks();
    plain_->clear_hooks();
  }
}

TEST(Sequential, NamesItsLayersAndLeavesWiringToGraphs) {
  const Choice<Layer> layers = {
      "sequential",
      parse_yaml("{layers: [{linear: {name: first, out_features: 2}}, relu]}", "net.yaml")};
  EXPECT_THAT(names_of(built(layers, float_spec({3}))->parameters()),
              testing::ElementsAre("first.weight", "first.bias"));
  EXPECT_EQ(message_of<ConfigError>([] {
              (void)built({"sequential", parse_yaml("{layers: [{relu: {out: a}}]}", "net.yaml")},
                          float_spec({3}));
            }),
            "net.yaml:1:19: relu says 'out', but in a sequential a layer takes what the one before "
            "it gives. Use graph.");
}

}  // namespace
}  // namespace hearth
