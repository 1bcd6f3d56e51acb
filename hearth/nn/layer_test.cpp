// The layer tree: hooks, names, training, moving, errors.
#include "hearth/nn/layer.h"

#include <ATen/ops/zeros.h>
#include <c10/core/GradMode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hearth/nn/layer_fixture.h"
#include "hearth/nn/layers/activation/relu.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/convolution/conv2d.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/normalization/batch_norm2d.h"
#include "hearth/nn/layers/regularization/dropout.h"

namespace hearth {
namespace {

Choice<Layer> two_linear() {
  return layers::sequential(
      {{layers::linear({.out_features = 4}), layers::relu(), layers::linear({.out_features = 2})}});
}

TEST(Layer, RunsHooksInOrderAndLetsThemReplaceValues) {
  const auto layer = built(layers::relu(), float_spec({1}));
  std::vector<std::string> order;
  layer->add_hook_before([&](const Layer&, at::Tensor&) { order.push_back("before 1"); });
  layer->add_hook_before([&](const Layer&, at::Tensor& value) {
    order.push_back("before 2");
    value = value.add(5);
  });
  layer->add_hook_after([&](const Layer& hooked, at::Tensor& value) {
    order.push_back("after " + hooked.path());
    value = value.mul(10);
  });
  EXPECT_EQ((*layer)(at::zeros({1, 1})).item<double>(), 50);
  EXPECT_THAT(order, testing::ElementsAre("before 1", "before 2", "after net"));
}

TEST(Layer, RunsHooksOfChildrenUntilTheyAreCleared) {
  const auto layer = built(two_linear(), float_spec({3}));
  int calls = 0;
  for (auto& [name, child] : layer->children()) {
    child->add_hook_after([&](const Layer&, at::Tensor&) { ++calls; });
  }
  (void)(*layer)(random_batch({3}));
  layer->clear_hooks();
  (void)(*layer)(random_batch({3}));
  EXPECT_EQ(calls, 3);
}

TEST(Layer, NamesParametersByTheirPathBelowIt) {
  const auto layer = built(two_linear(), float_spec({3}));
  EXPECT_THAT(names_of(layer->parameters()),
              testing::ElementsAre("0.weight", "0.bias", "2.weight", "2.bias"));
  EXPECT_EQ(layer->parameter_count(), 3 * 4 + 4 + 4 * 2 + 2);
  EXPECT_EQ(layer->children()[2].second->path(), "net.2");
}

TEST(Layer, IsFoundByItsPathAndByAPattern) {
  const auto layer =
      built(layers::sequential({{two_linear(), named(two_linear(), "second"), layers::relu()}}),
            float_spec({3}));
  EXPECT_EQ(layer->find("0.2")->path(), "net.0.2");
  EXPECT_EQ(layer->find("second.1")->choice().name(), "relu");
  EXPECT_EQ(layer->find("second.7"), nullptr);
  EXPECT_EQ(layer->find("sec"), nullptr);
  std::vector<std::string> paths;
  for (const Layer* found : layer->matching("*.0")) paths.push_back(found->path());
  EXPECT_THAT(paths, testing::ElementsAre("net.0.0", "net.second.0"));
}

TEST(Layer, KnowsWhatItWasMadeFrom) {
  const auto layer = built(two_linear(), float_spec({3}));
  EXPECT_EQ(layer->find("0")->choice().node(), layers::linear({.out_features = 4}).node());
  EXPECT_EQ(layer->description().nodes.size(), 3U);
  EXPECT_EQ(layer->find("0")->description().is_empty(), true);
}

TEST(Layer, BuildingTwiceKeepsOneSetOfParameters) {
  const auto layer = built(two_linear(), float_spec({3}));
  (void)layer->build(float_spec({5}), {7, "net", 0});
  EXPECT_EQ(layer->parameters().size(), 4U);
  EXPECT_EQ(layer->parameters()[0].second.size(1), 5);
}

TEST(Layer, FreezingStopsGradients) {
  const auto layer = built(two_linear(), float_spec({3}));
  layer->set_trainable(false);
  EXPECT_FALSE((*layer)(random_batch({3})).requires_grad());
  layer->set_trainable(true);
  EXPECT_TRUE((*layer)(random_batch({3})).requires_grad());
}

TEST(Layer, TrainingReachesChildren) {
  const auto layer = built(layers::sequential({{layers::dropout({0.5})}}), float_spec({64}));
  const at::Tensor input = random_batch({64});
  EXPECT_FALSE((*layer)(input).equal(input));
  layer->set_training(false);
  EXPECT_TRUE((*layer)(input).equal(input));
}

TEST(Layer, PutsItsTensorsOnTheDeviceItIsBuiltFor) {
  const auto layer = registry<Layer>().make(
      layers::sequential({{layers::conv2d({.out_channels = 2}), layers::batch_norm2d()}}));
  (void)layer->build(float_spec({1, 4, 4}), {.seed = 7, .path = "net", .device = at::kMeta});
  for (const auto& [name, tensor] : layer->parameters()) {
    EXPECT_TRUE(tensor.is_meta()) << name;
    EXPECT_TRUE(tensor.is_leaf() && tensor.requires_grad()) << name;
  }
  for (const auto& [name, tensor] : layer->buffers()) EXPECT_TRUE(tensor.is_meta()) << name;
}

// Two convolutions whose channels fill blocks; nobody else holds their weights.
class PackedLayer : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_vector_unit()) GTEST_SKIP() << "needs AVX2 and FMA";
  }
  [[nodiscard]] bool is_packed() const { return layer_->handles()[0].second.dim() == 6; }

  std::unique_ptr<Layer> layer_ =
      built(layers::sequential({{layers::conv2d({.out_channels = 16, .padding = 1}), layers::relu(),
                                 layers::conv2d({.out_channels = 32, .padding = 1})}}),
            float_spec({16, 6, 6}));
};

TEST_F(PackedLayer, ComputesTheSameAndShowsOrdinaryParameters) {
  const at::Tensor input = random_batch({16, 6, 6});
  const State before = copy({layer_->parameters()});
  const at::Tensor expected = (*layer_)(input).detach();
  pack_weights(*layer_);
  EXPECT_TRUE(is_packed());
  EXPECT_EQ(layer_->parameter_count(), 16 * 16 * 9 + 16 + 32 * 16 * 9 + 32);
  EXPECT_TRUE((*layer_)(input).equal(expected));
  const std::vector<NamedTensor> shown = layer_->parameters();
  for (size_t i = 0; i < shown.size(); ++i)
    EXPECT_TRUE(shown[i].second.equal(before.tensors[i].second)) << shown[i].first;
}

TEST_F(PackedLayer, IsPartOfNoGraphOutsideAStep) {
  const at::Tensor input = random_batch({16, 6, 6});
  pack_weights(*layer_);
  {
    const c10::AutoGradMode no_grad(false);
    (void)(*layer_)(input);
  }
  EXPECT_TRUE(is_packed());
  (*layer_)(input).sum().backward();
  EXPECT_FALSE(is_packed());
  EXPECT_TRUE(layer_->handles()[0].second.grad().is_contiguous());
}

// Within a step, where the parameters are part of a graph as they are.
TEST_F(PackedLayer, ShowsCopiesThatAutogradFollowsInAStep) {
  pack_weights(*layer_);
  set_in_step(*layer_, true);
  at::Tensor loss = (*layer_)(random_batch({16, 6, 6})).sum();
  loss = loss.add(layer_->parameters()[0].second.pow(2).sum());
  loss.backward();
  EXPECT_TRUE(is_packed());
  set_in_step(*layer_, false);
  const at::Tensor gradient = layer_->parameters()[0].second.grad().clone();
  layer_->parameters()[0].second.mutable_grad() = at::Tensor();
  (*layer_)(random_batch({16, 6, 6})).sum().backward();
  const at::Tensor weight = layer_->parameters()[0].second;
  EXPECT_TRUE(gradient.allclose(weight.grad().add(weight.detach(), 2), 1e-4, 1e-4));
}

// As a layer does that scales the weights of a child before it calls it.
TEST_F(PackedLayer, TakesChangesInAStepBeforeItsParametersAreUsed) {
  pack_weights(*layer_);
  set_in_step(*layer_, true);
  {
    const c10::AutoGradMode no_grad(false);
    for (const auto& [name, tensor] : layer_->parameters()) tensor.zero_();
  }
  const at::Tensor output = (*layer_)(random_batch({16, 6, 6}));
  output.sum().backward();
  EXPECT_EQ(output.abs().max().item<double>(), 0);
  EXPECT_EQ(layer_->handles()[2].second.grad().sizes(), (at::IntArrayRef{32, 16, 3, 3}));
}

TEST_F(PackedLayer, LeavesParametersAsTheyAreWhileSomebodyHoldsThem) {
  {
    const Parameters held = layer_->parameters();
    pack_weights(*layer_);
    EXPECT_FALSE(is_packed());
    EXPECT_EQ(packing_obstacle(*layer_), "somebody holds the parameters of net.0");
    EXPECT_EQ(held[0].second.sizes(), (at::IntArrayRef{16, 16, 3, 3}));
  }
  pack_weights(*layer_);
  EXPECT_TRUE(is_packed());
  EXPECT_EQ(packing_obstacle(*layer_), "");
}

TEST_F(PackedLayer, LeavesThoseOfOneChildAsTheyAreWhileSomebodyHoldsThem) {
  const Parameters held = layer_->find("2")->parameters();
  pack_weights(*layer_);
  EXPECT_TRUE(is_packed());
  EXPECT_EQ(held[0].second.dim(), 4);
  EXPECT_EQ(packing_obstacle(*layer_), "somebody holds the parameters of net.2");
}

TEST_F(PackedLayer, LeavesAParameterThatAGraphLeadsToAsItIs) {
  at::Tensor loss = (*layer_)(random_batch({16, 6, 6})).sum();
  pack_weights(*layer_);
  EXPECT_FALSE(is_packed());
  loss.backward();
  EXPECT_EQ(layer_->handles()[0].second.grad().dim(), 4);
  loss = at::Tensor();
  pack_weights(*layer_);
  EXPECT_TRUE(is_packed());
}

TEST_F(PackedLayer, SaysWhichHooksAreInTheWay) {
  layer_->find("1")->add_hook_after([](const Layer&, at::Tensor&) {});
  EXPECT_EQ(packing_obstacle(*layer_), "net.1 has hooks");
}

TEST_F(PackedLayer, LeavesAFrozenParameterOrdinary) {
  pack_weights(*layer_);
  layer_->set_trainable(false);
  EXPECT_TRUE(is_packed());
  pack_weights(*layer_);
  EXPECT_FALSE(is_packed());
}

TEST_F(PackedLayer, LearnsWhatIsWrittenToItsParameters) {
  pack_weights(*layer_);
  {
    const c10::AutoGradMode no_grad(false);
    for (const auto& [name, tensor] : layer_->parameters()) tensor.zero_();
  }
  pack_weights(*layer_);
  EXPECT_TRUE(is_packed());
  EXPECT_EQ((*layer_)(random_batch({16, 6, 6})).abs().max().item<double>(), 0);
}

TEST(Layer, AddsUpTheWorkOfItsChildren) {
  const auto layer = built(two_linear(), float_spec({3}));
  EXPECT_EQ(layer->work(), 0);
  EXPECT_EQ(layer->total_work(), 3 * 4 + 4 * 2);
  EXPECT_EQ(built(layers::linear({.out_features = 4}), float_spec({5, 3}))->work(), 5 * 3 * 4);
  const auto image =
      built(layers::conv2d({.out_channels = 6, .stride = 2, .groups = 2}), float_spec({4, 9, 7}));
  EXPECT_EQ(image->total_work(), 6 * 4 * 3 * (2 * 9));
}

TEST(Layer, SaysWhichLayerCannotRunOnWhat) {
  const auto layer = built(two_linear(), float_spec({3}));
  try {
    (void)(*layer)(at::zeros({2, 9}));
    FAIL();
  } catch (const GraphError& error) {
    EXPECT_THAT(error.what(), testing::StartsWith("net.0: cannot run on float32 [2, 9], it was "
                                                  "built for float32 [B, 3]: mat1 and mat2"));
  }
}

}  // namespace
}  // namespace hearth
