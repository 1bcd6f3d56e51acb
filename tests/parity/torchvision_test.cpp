// Every architecture that torchvision has too: its names and shapes, and the same numbers for the
// same weights. What is compared stands beside the architecture, in
// <architecture>.torchvision.yaml; the truth in torchvision/<architecture>.json, written by
// make_torchvision.py.
#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/dot.h>
#include <c10/core/GradMode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "hearth/base/digest.h"
#include "hearth/config/validate.h"
#include "hearth/config/yaml.h"
#include "hearth/nn/init.h"
#include "hearth/nn/layer_fixture.h"
#include "hearth/train/live_catalog.h"
#include "tests/parity/parity.h"

namespace hearth {
namespace {

constexpr int64_t kComputedClasses = 10;
constexpr int64_t kListedSide = 224;    // of images, for names and shapes; larger where needed
constexpr int64_t kPeriod = 1'000'003;  // of drawn numbers; a prime

// How numbers are computed.
struct Computing {
  int64_t side = 64;
  int64_t batch = 4;
  double gain = 1;  // of the weights of linear maps
  bool quick = false;
};

struct TorchvisionModel {
  std::string architecture;
  std::string name;
  Node options = Node::map();   // of the architecture
  Node computed = Node::map();  // further ones while numbers are computed
  Computing computing = {};

  [[nodiscard]] Choice<Layer> choice(int64_t classes) const {
    Choice<Layer> choice(architecture, options);
    return choice.with("classes", TypeOf<int64_t>::write(classes));
  }
  [[nodiscard]] Choice<Layer> computed_choice() const {
    Choice<Layer> choice = this->choice(kComputedClasses);
    for (const Node::Entry& entry : computed.entries())
      choice = choice.with(entry.key, entry.value);
    return choice;
  }
};

std::ostream& operator<<(std::ostream& out, const TorchvisionModel& model) {
  return out << model.name;
}

Node map_at(const Node& node, const char* key) {
  const Node* found = node.find(key);
  return found == nullptr || found->is_null() ? Node::map() : *found;
}

template <class T>
void read_into(T& value, const Node& node, const char* key) {
  if (const Node* found = node.find(key)) value = TypeOf<T>::read(*found);
}

TorchvisionModel read_model(const std::string& architecture, const Node::Entry& entry) {
  TorchvisionModel model{architecture, entry.key, map_at(entry.value, "options")};
  const Node compute = map_at(entry.value, "compute");
  model.computed = map_at(compute, "options");
  read_into(model.computing.side, compute, "side");
  read_into(model.computing.batch, compute, "batch");
  read_into(model.computing.gain, compute, "gain");
  read_into(model.computing.quick, compute, "quick");
  return model;
}

std::vector<TorchvisionModel> torchvision_models() {
  constexpr std::string_view kEnding = ".torchvision.yaml";
  std::vector<TorchvisionModel> models;
  for (const auto& file : std::filesystem::recursive_directory_iterator(
           std::string(HEARTH_SOURCE_DIR) + "/hearth/nn")) {
    const std::string name = file.path().filename();
    if (!name.ends_with(kEnding)) continue;
    const Node written = load_yaml(file.path());
    for (const Node::Entry& entry : written.entries())
      models.push_back(read_model(name.substr(0, name.size() - kEnding.size()), entry));
  }
  return models;
}

// All of them in a soak; otherwise those that take little time.
std::vector<TorchvisionModel> computed_models() {
  std::vector<TorchvisionModel> models = torchvision_models();
  if (std::getenv("HEARTH_TORCHVISION") == nullptr)
    std::erase_if(models, [](const TorchvisionModel& model) { return !model.computing.quick; });
  return models;
}

Json truth_of(const TorchvisionModel& model) {
  return load_parity("torchvision/" + model.architecture + ".json").at(model.name);
}

// The same formulas as in make_torchvision.py.
at::Tensor drawn(const std::string& name, at::IntArrayRef shape) {
  int64_t key = 0;
  for (size_t i = 0; i < name.size(); ++i) key += static_cast<int64_t>(i + 1) * name[i];
  const int64_t count = c10::multiply_integers(shape);
  const at::Tensor wave = at::arange(std::min(count, kPeriod), at::kDouble)
                              .mul_(12.9898)
                              .add_(key % 997)
                              .sin_()
                              .mul_(43758.5453);
  const at::Tensor values = wave.sub(wave.floor());
  if (count <= kPeriod) return values.reshape(shape);
  return values.repeat({(count + kPeriod - 1) / kPeriod}).slice(0, 0, count).reshape(shape);
}

at::Tensor filled(const std::string& name, const at::Tensor& tensor, double gain) {
  const at::Tensor values = drawn(name, tensor.sizes());
  if (tensor.dim() > 1) {
    const auto fan_in = static_cast<double>(c10::multiply_integers(tensor.sizes().slice(1)));
    return (values - 0.5) * (gain * std::sqrt(18 / fan_in));
  }
  if (name.ends_with("running_mean")) return (values - 0.5) * 0.2;
  const bool is_scale = name.ends_with("weight") || name.ends_with("running_var");
  return values + (is_scale ? 0.5 : 1.5);
}

void fill(const std::vector<NamedTensor>& tensors, at::ScalarType type, double gain) {
  for (const auto& [name, tensor] : tensors)
    if (tensor.is_floating_point()) tensor.set_data(filled(name, tensor, gain).to(type));
}

std::string contents(const std::vector<NamedTensor>& tensors) {
  std::string lines;
  for (const auto& [name, tensor] : tensors)
    lines += name + " " + shape_text(tensor.sizes()) + "\n";
  return lines;
}

// How far numbers may be off, as a share of what they are a part of.
class Comparison {
 public:
  explicit Comparison(double tolerance) : tolerance_(tolerance) {}

  void expect_outputs(const std::vector<at::Tensor>& outputs, const Json& expected) const {
    ASSERT_GE(outputs.size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i) {
      const Json& truth = expected[i];
      EXPECT_EQ(Json(outputs[i].sizes().vec()), truth.at("shape")) << "output " << i;
      const at::Tensor values = outputs[i].detach().to(at::kDouble).flatten();
      expect_summary("output", values, truth.at("summary"), 0);
      const auto some = truth.at("values").get<std::vector<double>>();
      const auto step = std::max<int64_t>(1, values.numel() / static_cast<int64_t>(some.size()));
      const double size = mean_size(values, truth);
      for (size_t k = 0; k < some.size(); ++k)
        EXPECT_NEAR(values[static_cast<int64_t>(k) * step].item<double>(), some[k],
                    tolerance_ * (size + std::abs(some[k])))
            << "value " << k << " of output " << i;
    }
  }

  void expect_tensors(const std::vector<NamedTensor>& tensors, const Json& expected) const {
    double squares = 0;
    for (const auto& [name, tensor] : tensors)
      squares += std::pow(tensor.to(at::kDouble).norm().item<double>(), 2);
    const double total = expected.at("total");
    EXPECT_NEAR(std::sqrt(squares), total, tolerance_ * total);
    for (const auto& [name, truth] : expected.at("some").items()) {
      const std::string wanted = name;
      const auto found = std::ranges::find(tensors, wanted, &NamedTensor::first);
      ASSERT_NE(found, tensors.end()) << wanted;
      // What is zero but for rounding, as the gradient of a bias before a norm, is small beside
      // all.
      expect_summary(wanted, found->second.to(at::kDouble).flatten(), truth, 1e-3 * total);
    }
  }

 private:
  [[nodiscard]] static double mean_size(const at::Tensor& values, const Json& truth) {
    return truth.at("summary")[0].get<double>() / std::sqrt(static_cast<double>(values.numel()));
  }

  void expect_summary(const std::string& name, const at::Tensor& values, const Json& expected,
                      double beside) const {
    const double norm = expected[0];
    const double probe =
        at::dot(values, drawn("probe of " + name, values.sizes()).sub(0.5)).item<double>();
    EXPECT_NEAR(values.norm().item<double>(), norm, tolerance_ * (norm + beside)) << name;
    EXPECT_NEAR(probe, expected[1].get<double>(), tolerance_ * (norm + beside)) << name;
  }

  double tolerance_;
};

std::vector<at::Tensor> run(Layer& layer, const at::Tensor& image) {
  std::vector<at::Tensor> outputs(layer.output_specs().size());
  layer(std::span(&image, 1), outputs);
  return outputs;
}

void backward(const std::vector<at::Tensor>& outputs) {
  at::Tensor loss;
  for (const at::Tensor& output : outputs) {
    const at::Tensor flow = drawn("flow", output.sizes()).sub(0.5).to(output.scalar_type());
    const at::Tensor part = (flow * output).sum();
    loss = loss.defined() ? loss + part : part;
  }
  loss.backward();
}

std::vector<NamedTensor> gradients_of(const Layer& layer) {
  std::vector<NamedTensor> gradients;
  for (const auto& [name, tensor] : layer.parameters())
    if (tensor.grad().defined()) gradients.emplace_back(name, tensor.grad());
  return gradients;
}

std::vector<NamedTensor> float_buffers(const Layer& layer) {
  std::vector<NamedTensor> buffers = layer.buffers();
  std::erase_if(buffers, [](const NamedTensor& each) { return !each.second.is_floating_point(); });
  return buffers;
}

void expect_numbers(const TorchvisionModel& model, at::ScalarType type, double tolerance) {
  const Json truth = truth_of(model);
  const Comparison comparison(tolerance);
  const auto [side, batch, gain, quick] = model.computing;
  const auto layer = built(model.computed_choice(), float_spec({3, side, side}));
  fill(layer->parameters(), type, gain);
  fill(layer->buffers(), type, gain);
  const at::Tensor image = drawn("input", {batch, 3, side, side}).mul(2).sub(1).to(type);
  layer->set_training(false);
  {
    const c10::AutoGradMode no_grad(false);
    SCOPED_TRACE("in evaluation");
    comparison.expect_outputs(run(*layer, image), truth.at("eval"));
  }
  layer->set_training(true);
  const std::vector<at::Tensor> outputs = run(*layer, image);
  comparison.expect_outputs(outputs, truth.at("train"));
  ASSERT_EQ(outputs.size(), truth.at("train").size());
  backward(outputs);
  comparison.expect_tensors(gradients_of(*layer), truth.at("gradients"));
  comparison.expect_tensors(float_buffers(*layer), truth.at("buffers"));
}

class EveryTorchvisionModel : public testing::TestWithParam<TorchvisionModel> {};
class ComputedTorchvisionModel : public testing::TestWithParam<TorchvisionModel> {};

TEST_P(EveryTorchvisionModel, HasItsNamesAndShapes) {
  const TorchvisionModel& model = GetParam();
  const Choice<Layer> choice = model.choice(1000);
  EXPECT_THAT(
      validate_type(choice.node(), TypeOf<Choice<Layer>>::type(), model.name, live_catalog()),
      testing::IsEmpty());
  BuildContext context{7, "net", 0};
  context.device = at::kMeta;  // where parameters have shapes and no values
  const int64_t side = std::max(kListedSide, model.computing.side);
  const auto layer = built(choice, float_spec({3, side, side}), context);
  const std::string own = contents(layer->parameters()) + contents(layer->buffers());
  const Json truth = truth_of(model);
  EXPECT_EQ(std::ranges::count(own, '\n'), truth.at("tensors").get<int64_t>());
  EXPECT_EQ(sha256_hex(own), truth.at("digest").get<std::string>())
      << "Compare with tests/parity/make_torchvision.py --contents " << model.name << ":\n"
      << own;
}

TEST_P(ComputedTorchvisionModel, GivesItsNumbers) { expect_numbers(GetParam(), at::kDouble, 1e-9); }

TEST_P(ComputedTorchvisionModel, GivesItsNumbersInSinglePrecision) {
  expect_numbers(GetParam(), at::kFloat, 1e-4);
}

constexpr auto kModelName = [](const auto& tested) { return tested.param.name; };
INSTANTIATE_TEST_SUITE_P(Models, EveryTorchvisionModel, testing::ValuesIn(torchvision_models()),
                         kModelName);
INSTANTIATE_TEST_SUITE_P(Models, ComputedTorchvisionModel, testing::ValuesIn(computed_models()),
                         kModelName);

}  // namespace
}  // namespace hearth
