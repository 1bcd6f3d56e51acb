// wide_and_deep beside its formula; multi_branch: what comes out of which branch.
#include <ATen/ops/cat.h>
#include <ATen/ops/tensor.h>
#include <gmock/gmock.h>

#include "hearth/nn/architectures/mlp.h"
#include "hearth/nn/architectures/multi_branch.h"
#include "hearth/nn/architectures/resnet.h"
#include "hearth/nn/architectures/wide_and_deep.h"
#include "hearth/nn/layer_fixture.h"
#include "hearth/nn/layers/linear.h"

namespace hearth {
namespace {

using testing::ElementsAre;

Spec category_spec(int64_t classes) {
  Spec spec = token_spec(1, classes);
  spec.shape = {};
  return spec;
}

std::map<std::string, at::Tensor> by_name(const Layer& layer) {
  std::map<std::string, at::Tensor> tensors;
  for (const auto& [name, tensor] : layer.parameters()) tensors[name] = tensor;
  return tensors;
}

TEST(WideAndDeep, IsALinearModelAndANetworkAdded) {
  const auto layer =
      registry<Layer>().make(layers::wide_and_deep({.hidden = {4}, .out_features = 2}));
  const std::vector<Spec> inputs = {float_spec({3}), category_spec(5), category_spec(4)};
  (void)layer->build(inputs, {7, "net", 0});
  const at::Tensor numbers = random_batch({3});
  const at::Tensor one = at::tensor({4, 0}, at::kLong);
  const at::Tensor other = at::tensor({1, 3}, at::kLong);
  const std::vector<at::Tensor> values = {numbers, one, other};
  at::Tensor found;
  (*layer)(values, std::span(&found, 1));
  auto weights = by_name(*layer);
  const auto linear = [&](const std::string& name, const at::Tensor& value) {
    return value.matmul(weights.at(name + ".weight").t()).add(weights.at(name + ".bias"));
  };
  const auto row = [&](const std::string& name, const at::Tensor& place) {
    return weights.at(name).index_select(0, place);
  };
  const at::Tensor wide = linear("wide_column0", numbers)
                              .add(row("wide.weight_0", one))
                              .add(row("wide.weight_1", other))
                              .add(row("wide.weight_0_1", one.mul(4).add(other)));
  const at::Tensor features =
      at::cat({numbers, row("embedding.weight_0", one), row("embedding.weight_1", other)}, 1);
  const at::Tensor deep = linear("deep.2", linear("deep.0", features).relu());
  EXPECT_LE(found.sub(wide.add(deep)).abs().max().item<double>(), 1e-6);
  EXPECT_EQ(weights.at("embedding.weight_0").sizes().vec(), (std::vector<int64_t>{5, 3}));
}

TEST(WideAndDeep, SaysWhichColumnsItTakes) {
  EXPECT_THAT(build_fault(layers::wide_and_deep({.out_features = 2}), float_spec({3, 8, 8})),
              testing::HasSubstr("needs rows of numbers, float [B, F], and categories, int64 [B]"));
}

layers::MultiBranchOptions two_branches() {
  return {.trunk = layers::resnet({.depth = 20, .width = 2}),
          .share_until = "avgpool",
          .branches = {{.name = "color",
                        .network = layers::linear({.out_features = 6}),
                        .heads = {{.label = "color"}},
                        .soft_targets = true},
                       {.name = "shape",
                        .network = layers::linear({.out_features = 5}),
                        .heads = {{.label = "shape"}, {.name = "code", .size = 2}}}},
          .fused = {{.label = "shape"}},
          .features = true};
}

TEST(MultiBranch, GivesTheHeadsOfItsBranchesAndThoseOverAll) {
  const auto layer = registry<Layer>().make(layers::multi_branch(two_branches()));
  BuildContext context{7, "net", 0};
  context.targets = {{"color", 4}, {"shape", 3}};
  const std::vector<Spec> inputs = {float_spec({3, 8, 8})};
  const std::vector<Spec> outputs = layer->build(inputs, context);
  std::vector<int64_t> sizes;
  for (const Spec& output : outputs) sizes.push_back(output.shape.at(0));
  EXPECT_THAT(sizes, ElementsAre(4, 3, 3, 2, 3, 11));
  EXPECT_EQ(outputs[0].classes, 4);
  EXPECT_THAT(layer->description().outputs,
              ElementsAre("color_scores", "color_soft", "shape_scores", "shape_code",
                          "fused_scores", "fused_features"));
}

TEST(MultiBranch, SaysOfEveryOutputWhatItIs) {
  const std::vector<layers::BranchOutput> outputs = layers::branch_outputs(two_branches());
  ASSERT_EQ(outputs.size(), 6U);
  EXPECT_EQ(outputs[1].name, "color_soft");
  EXPECT_EQ(outputs[1].branch, "color");
  EXPECT_EQ(outputs[1].label, "shape");
  EXPECT_EQ(outputs[1].sort, layers::BranchOutput::Sort::kSoftTargets);
  EXPECT_EQ(outputs[3].dimensions, 2);
  EXPECT_EQ(outputs[5].sort, layers::BranchOutput::Sort::kFeatures);
}

TEST(MultiBranch, NamesTheNearestLayerOfTheTrunk) {
  layers::MultiBranchOptions options = two_branches();
  options.share_until = "layer9";
  EXPECT_THAT(build_fault(layers::multi_branch(options), float_spec({3, 8, 8})),
              testing::HasSubstr("net: the backbone has no layer 'layer9'. Did you mean 'layer"));
}

}  // namespace
}  // namespace hearth
