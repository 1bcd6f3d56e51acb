// Initializers: what they draw has the mean, the deviation and the bounds of PyTorch's, and a
// model's `init` reaches the parameters it names.
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/matmul.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/config/yaml.h"
#include "hearth/nn/initializer.h"
#include "hearth/nn/layer_fixture.h"
#include "hearth/nn/layer_init.h"
#include "tests/parity/parity.h"

namespace hearth {
namespace {

at::Tensor drawn(const std::string& name, const std::string& options, at::IntArrayRef shape) {
  const Choice<Initializer> choice(name, parse_yaml(options, "options"));
  at::Tensor values = at::empty(shape);
  registry<Initializer>().make(choice)->fill(values, at::detail::createCPUGenerator(7));
  return values;
}

TEST(Initializers, DrawLikePythonsTorch) {
  const nlohmann::json truth = load_parity("init.json");
  std::set<std::string> tried;
  for (const nlohmann::json& expected : truth.at("cases")) {
    SCOPED_TRACE(expected.dump());
    const std::string name = expected["initializer"];
    tried.insert(name);
    const at::Tensor values =
        drawn(name, expected["options"].dump(), expected["shape"].get<std::vector<int64_t>>());
    // Two draws of some hundred thousand numbers differ by a few times 1 / sqrt(count).
    const double spread = expected["std"].get<double>();
    EXPECT_NEAR(values.mean().item<double>(), expected["mean"], 0.02 * spread);
    EXPECT_NEAR(values.std().item<double>(), spread, 0.015 * spread);
    EXPECT_NEAR(values.eq(0).to(at::kFloat).mean().item<double>(), expected["zeros"], 1e-6);
    const bool is_unbounded = name == "normal" || name.ends_with("_normal") || name == "sparse" ||
                              name == "orthogonal" || name == "lsuv" || name == "fixup";
    if (is_unbounded && name != "trunc_normal") continue;
    EXPECT_NEAR(values.min().item<double>(), expected["least"], 1e-3 * spread);
    EXPECT_NEAR(values.max().item<double>(), expected["greatest"], 1e-3 * spread);
  }
  for (const std::string& name : registry<Initializer>().names())
    EXPECT_TRUE(tried.contains(name)) << name << " has no case in make_init.py";
}

TEST(Initializers, OrthogonalRowsStandAtRightAngles) {
  const at::Tensor wide = drawn("orthogonal", "{gain: 2}", {5, 4, 3});
  const at::Tensor rows = wide.reshape({5, 12});
  expect_near(at::matmul(rows, rows.t()), at::eye(5).mul(4), 1e-5);
  const at::Tensor tall = drawn("orthogonal", "{}", {9, 4});
  expect_near(at::matmul(tall.t(), tall), at::eye(4), 1e-5);
}

TEST(Initializers, DiracGivesWhatItGets) {
  const at::Tensor filter = drawn("dirac", "{groups: 2}", {4, 3, 3});
  EXPECT_EQ(filter.sum().item<double>(), 4);
  EXPECT_EQ(filter[3][1][1].item<double>(), 1);
}

std::unique_ptr<Layer> with_init(const std::string& yaml, const Spec& input = float_spec({6})) {
  const Choice<Layer> choice = TypeOf<Choice<Layer>>::read(parse_yaml(yaml, "model.yaml"));
  std::unique_ptr<Layer> layer = registry<Layer>().make(choice);
  layer->set_choice(choice);
  const BuildContext context{3, "net", 0};
  (void)layer->build(input, context);
  apply_initializers(*layer, context);
  return layer;
}

TEST(LayerInit, FillsByPatternTheLastOfWhichCounts) {
  const auto net = with_init(
      "{sequential: {layers: [{linear: {out_features: 4}}, {linear: {out_features: 3, init: {bias: "
      "ones}}}], init: {'*': {constant: {value: 0.5}}, '0.bias': zeros, '1': xavier_normal}}}");
  EXPECT_TRUE(net->parameters()[0].second.eq(0.5).all().item<bool>());
  EXPECT_TRUE(net->parameters()[1].second.eq(0).all().item<bool>());
  // Of layer 1, xavier_normal fits the weight alone; its own `init` comes last.
  EXPECT_GT(net->parameters()[2].second.std().item<double>(), 0.1);
  EXPECT_TRUE(net->parameters()[3].second.eq(1).all().item<bool>());
}

TEST(LayerInit, DrawsFromTheParametersOwnStream) {
  const std::string layers = "{sequential: {layers: [{linear: {out_features: 4}}";
  const std::string init = "init: {'*weight': normal}}}";
  const auto shorter = with_init(layers + "], " + init);
  const auto longer = with_init(layers + ", {linear: {out_features: 3}}], " + init);
  EXPECT_TRUE(shorter->parameters()[0].second.equal(longer->parameters()[0].second));
}

bool is_all(const Layer& model, const std::string& parameter, double value) {
  for (const auto& [name, tensor] : model.parameters())
    if (name == parameter) return tensor.eq(value).all().item<bool>();
  ADD_FAILURE() << "no " << parameter;
  return false;
}

TEST(LayerInit, ZeroGammaLetsResidualBranchesAddNothing) {
  const auto net = with_init(
      "{sequential: {layers: [{residual_block: {out_channels: 4}}, {bottleneck_block: {channels: "
      "2}}], init: {'*': zero_gamma}}}",
      float_spec({3, 5, 5}));
  for (const char* last : {"0.bn2.weight", "1.bn3.weight"}) EXPECT_TRUE(is_all(*net, last, 0));
  for (const char* other : {"0.bn1.weight", "0.downsample.1.weight", "1.bn2.weight"})
    EXPECT_TRUE(is_all(*net, other, 1)) << other;
  EXPECT_FALSE(is_all(*net, "0.conv1.weight", 0));
}

constexpr const char* kTwoBranches = R"({graph: {init: {'*': fixup}, nodes: [
    {linear: {name: a, out_features: 200}}, relu, {linear: {name: b, out_features: 200}},
    {add: {in: [b, input], out: c}},
    {linear: {name: d, out_features: 200}}, relu, {linear: {name: e, out_features: 200}},
    {add: {in: [c, e], out: f}}, {linear: {name: head, out_features: 3}}]}})";

TEST(LayerInit, FixupShrinksBranchesByTheirNumber) {
  const auto net = with_init(kTwoBranches, float_spec({200}));
  for (const char* last : {"b.weight", "e.weight", "head.weight"})
    EXPECT_TRUE(is_all(*net, last, 0)) << last;
  // He's deviation, times 2 branches to the power of -1 / (2 * 2 layers - 2).
  for (const auto& [name, tensor] : net->parameters()) {
    if (name != "a.weight" && name != "d.weight") continue;
    EXPECT_NEAR(tensor.std().item<double>(), std::sqrt(2.0 / 200 / 2), 0.002) << name;
  }
}

TEST(LayerInit, LsuvGivesEveryLayerVarianceOne) {
  const auto net = with_init(
      "{sequential: {layers: [{conv2d: {out_channels: 16}}, tanh, {conv2d: {out_channels: 8}}, "
      "relu, flatten, {linear: {out_features: 50}}], init: {'*': {lsuv: {samples: 64}}}}}",
      float_spec({3, 8, 8}));
  EXPECT_FALSE(net->is_hooked());
  EXPECT_TRUE(net->is_training());
  std::vector<double> deviations;
  for (const char* path : {"0", "2", "5"})
    net->find(path)->add_hook_after(
        [&](const Layer&, at::Tensor& value) { deviations.push_back(value.std().item<double>()); });
  at::manual_seed(5);
  (void)(*net)(at::randn({256, 3, 8, 8}));
  ASSERT_EQ(deviations.size(), 3U);
  for (const double deviation : deviations) EXPECT_NEAR(deviation, 1, 0.05);
}

std::string said(const std::string& yaml) {
  try {
    (void)with_init(yaml);
  } catch (const GraphError& error) {
    return error.what();
  }
  return "nothing";
}

TEST(LayerInit, SaysWhatDoesNotFit) {
  EXPECT_EQ(said("{linear: {out_features: 4, init: {weigt: zeros}}}"),
            "model.yaml:1:35: init: no parameter of 'net' is called 'weigt'. Did you mean "
            "'weight'?");
  EXPECT_EQ(
      said("{linear: {out_features: 4, init: {bias: kaiming_normal}}}"),
      "model.yaml:1:35: init: 'kaiming_normal' does not fit 'bias' of 'net': it counts inputs "
      "and outputs, which a vector does not have. Use another, such as normal or zeros.");
  EXPECT_EQ(said("{linear: {out_features: 4, init: {'*': zero_gamma}}}"),
            "model.yaml:1:35: init: 'zero_gamma' does not fit '*' of 'net': it is for norms that "
            "end a residual branch, and there is none of them. Use another, such as normal or "
            "zeros.");
}

}  // namespace
}  // namespace hearth
