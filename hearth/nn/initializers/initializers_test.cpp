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
    const bool is_unbounded =
        name == "normal" || name.ends_with("_normal") || name == "sparse" || name == "orthogonal";
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

std::unique_ptr<Layer> with_init(const std::string& yaml) {
  const Choice<Layer> choice = TypeOf<Choice<Layer>>::read(parse_yaml(yaml, "model.yaml"));
  std::unique_ptr<Layer> layer = registry<Layer>().make(choice);
  layer->set_choice(choice);
  const BuildContext context{3, "net", 0};
  (void)layer->build(float_spec({6}), context);
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
}

}  // namespace
}  // namespace hearth
