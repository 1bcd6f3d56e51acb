// FCOS: torchvision's names, shapes and numbers.
#include "hearth/nn/architectures/fcos.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "hearth/base/digest.h"
#include "hearth/base/text.h"
#include "hearth/nn/architectures/resnet.h"
#include "hearth/nn/init.h"
#include "hearth/nn/layer_fixture.h"
#include "tests/parity/parity.h"

namespace hearth {
namespace {

constexpr int64_t kFcosClasses = 3;

const Json& detection_truth() {
  static const Json truth = load_parity("detection.json");
  return truth;
}

// The same formula as in make_detection.py.
at::Tensor drawn_numbers(const std::string& name, at::IntArrayRef shape) {
  int64_t key = 0;
  for (size_t i = 0; i < name.size(); ++i) key += static_cast<int64_t>(i + 1) * name[i];
  const int64_t count = c10::multiply_integers(shape);
  const at::Tensor wave =
      at::arange(count, at::kDouble).mul(12.9898).add(key % 997).sin().mul(43758.5453);
  return (wave - wave.floor()).reshape(shape);
}

at::Tensor filled_numbers(const std::string& name, const at::Tensor& tensor) {
  const at::Tensor values = drawn_numbers(name, tensor.sizes());
  if (tensor.dim() > 1)
    return (values - 0.5) * std::sqrt(24.0 * static_cast<double>(tensor.size(0)) /
                                      static_cast<double>(tensor.numel()));
  const bool is_scale = name.ends_with("weight") || name.ends_with("running_var");
  return is_scale ? values + 0.5 : (values - 0.5) * 0.2;
}

void fill_all(const std::vector<NamedTensor>& tensors) {
  for (const auto& [name, tensor] : tensors)
    if (tensor.is_floating_point()) tensor.set_data(filled_numbers(name, tensor));
}

void expect_output(const at::Tensor& found, const Json& truth, const std::string& name) {
  SCOPED_TRACE(name);
  const at::Tensor expected = at::tensor(truth.at("values").get<std::vector<double>>())
                                  .reshape(truth.at("shape").get<std::vector<int64_t>>());
  ASSERT_EQ(found.sizes(), expected.sizes());
  const double largest = std::max(1.0, expected.abs().max().item<double>());
  EXPECT_LE(found.sub(expected).abs().max().item<double>(), 1e-9 * largest);
}

TEST(Fcos, ComputesWhatTorchvisionsDoes) {
  const Json& truth = detection_truth().at("whole");
  const auto layer = registry<Layer>().make(
      layers::fcos({.backbone = layers::resnet({.depth = 18}), .classes = kFcosClasses}));
  const std::vector<Spec> inputs = {float_spec({3, 32, 32})};
  (void)layer->build(inputs, {7, "net", 0});
  fill_all(layer->parameters());
  fill_all(layer->buffers());
  layer->set_training(false);
  const std::vector<at::Tensor> image = {drawn_numbers("input", {1, 3, 32, 32}).mul(2).sub(1)};
  std::vector<at::Tensor> outputs(4);
  (*layer)(image, outputs);
  at::Tensor loss;
  for (const auto& [number, name] :
       {std::pair(0, "cls_logits"), {1, "bbox_regression"}, {2, "bbox_ctrness"}}) {
    expect_output(outputs[static_cast<size_t>(number)], truth.at("outputs").at(name), name);
    const at::Tensor part = outputs[static_cast<size_t>(number)].square().mean();
    loss = loss.defined() ? loss.add(part) : part;
  }
  loss.backward();
  const Json& norms = truth.at("gradient_norms");
  size_t compared = 0;
  for (const auto& [name, tensor] : layer->parameters()) {
    if (!norms.contains(name)) continue;
    const double expected = norms.at(name);
    EXPECT_NEAR(tensor.grad().norm().item<double>(), expected, 1e-9 * (1 + expected)) << name;
    ++compared;
  }
  EXPECT_EQ(compared, norms.size());
}

TEST(Fcos, HasTorchvisionsNamesAndShapes) {
  const auto layer = registry<Layer>().make(layers::fcos({.classes = kFcosClasses}));
  const std::vector<Spec> inputs = {float_spec({3, 64, 64})};
  (void)layer->build(inputs, {7, "net", 0});
  std::vector<std::string> lines;
  for (const auto& [name, tensor] : layer->handles())
    lines.push_back(name + " " + shape_text(tensor.sizes()));
  std::sort(lines.begin(), lines.end());
  const Json& truth = detection_truth().at("fcos_resnet50_fpn");
  EXPECT_EQ(lines.size(), truth.at("parameters").get<size_t>());
  EXPECT_EQ(sha256_hex(join(lines, "\n")), truth.at("digest").get<std::string>())
      << join(lines, "\n");
}

TEST(Fcos, KnowsWhereItsPointsAre) {
  const auto layer =
      registry<Layer>().make(layers::fcos({.backbone = layers::resnet({.depth = 20, .width = 2}),
                                           .levels = {"layer2", "layer3"},
                                           .first_size = 2,
                                           .channels = 2,
                                           .extra_levels = 0,
                                           .convolutions = 1,
                                           .groups = 1,
                                           .classes = kFcosClasses}));
  const std::vector<Spec> inputs = {float_spec({3, 8, 12})};
  const std::vector<Spec> outputs = layer->build(inputs, {7, "net", 0});
  EXPECT_EQ(outputs[0].text(), "float32 [B, 30, 3]");
  std::vector<at::Tensor> values(4);
  const std::vector<at::Tensor> image = {random_batch({3, 8, 12})};
  (*layer)(image, values);
  const at::Tensor last = values[3][1][29];
  EXPECT_EQ(last[0].item<double>(), 8);
  EXPECT_EQ(last[1].item<double>(), 4);
  EXPECT_EQ(last[2].item<double>(), 4);
  EXPECT_EQ(values[3][0][1][0].item<double>(), 2);
}

TEST(Fcos, NamesTheNearestLayerOfItsBackbone) {
  EXPECT_THAT(
      build_fault(layers::fcos({.levels = {"layer8"}, .classes = 2}), float_spec({3, 8, 8})),
      testing::HasSubstr("the backbone has no layer 'layer8'. Did you mean 'layer"));
}

}  // namespace
}  // namespace hearth
