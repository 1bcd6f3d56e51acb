// Layers over sequences give the same numbers as PyTorch's: recurrent ones with packed sequences,
// attention, transformers, BERT, and small text models.
#include <ATen/core/Tensor.h>
#include <ATen/ops/zeros.h>
#include <c10/core/GradMode.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "hearth/config/yaml.h"
#include "hearth/nn/layer_fixture.h"
#include "tests/parity/parity.h"

namespace hearth {
namespace {

at::Tensor exact_tensor(const Json& json) {
  return at::tensor(json.at("values").get<std::vector<double>>())
      .reshape(json.at("shape").get<std::vector<int64_t>>());
}

class SequenceParity {
 public:
  SequenceParity(const Json& truth, int64_t vocabulary, Kernels kernels, at::ScalarType type)
      : truth_(truth), vocabulary_(vocabulary), kernels_(kernels), type_(type) {}

  void expect() {
    for (const Json& given : truth_.at("inputs")) add_input(given);
    const auto layer = built_layer();
    if (testing::Test::HasFatalFailure()) return;
    std::vector<at::Tensor> outputs(truth_.at("outputs").size());
    (*layer)(inputs_, outputs);
    at::Tensor loss = at::zeros({}, type_);
    for (size_t i = 0; i < outputs.size(); ++i) {
      expect_values(outputs[i], truth_.at("outputs")[i], "output " + std::to_string(i));
      EXPECT_EQ(outputs[i].sizes().slice(1).vec(), layer->output_specs()[i].shape);
      loss = loss.add(outputs[i].square().sum());
    }
    loss.backward();
    for (const auto& [name, tensor] : layer->parameters())
      expect_values(tensor.grad(), truth_.at("gradients").at(name), name);
    for (size_t i = 0; i < inputs_.size(); ++i)
      if (inputs_[i].requires_grad())
        expect_values(inputs_[i].grad(), truth_.at("input_gradients")[i],
                      "input " + std::to_string(i));
  }

 private:
  void add_input(const Json& given) {
    const std::string kind = given.at("kind");
    at::Tensor value = exact_tensor(given);
    Spec spec = float_spec(value.sizes().slice(1).vec());
    if (kind == "float") {
      value = value.to(type_).set_requires_grad(true);
    } else if (kind == "mask") {
      value = value.ne(0);
      spec.dtype = DType::kBool;
    } else {
      value = value.to(at::kLong);
      spec.dtype = DType::kInt64;
      if (kind == "tokens") spec.classes = vocabulary_;
    }
    inputs_.push_back(value);
    specs_.push_back(spec);
  }

  [[nodiscard]] std::unique_ptr<Layer> built_layer() const {
    const Choice<Layer> choice(truth_.at("layer"),
                               parse_yaml(truth_.at("options").dump(), "options"));
    std::unique_ptr<Layer> layer = registry<Layer>().make(choice);
    (void)layer->build(specs_, {7, "net", 0, kernels_});
    if (type_ == at::kDouble) make_double(layer->parameters());
    load(*layer);
    return layer;
  }

  void load(const Layer& layer) const {
    const c10::AutoGradMode no_grad(false);
    const Json& saved = truth_.at("parameters");
    ASSERT_EQ(layer.parameters().size(), saved.size());
    for (const auto& [name, tensor] : layer.parameters()) {
      ASSERT_TRUE(saved.contains(name)) << name;
      ASSERT_EQ(tensor.sizes().vec(), saved.at(name).at("shape").get<std::vector<int64_t>>());
      tensor.copy_(exact_tensor(saved.at(name)));
    }
  }

  // A share of the largest value: 1e-9 in double, 2e-5 in float.
  void expect_values(const at::Tensor& found, const Json& json, const std::string& name) const {
    SCOPED_TRACE(name);
    ASSERT_TRUE(found.defined());
    const at::Tensor expected = exact_tensor(json);
    const double largest = std::max(1.0, expected.abs().max().item<double>());
    expect_near(found, expected, (type_ == at::kDouble ? 1e-9 : 2e-5) * largest);
  }

  const Json& truth_;
  int64_t vocabulary_;
  Kernels kernels_;
  at::ScalarType type_;
  std::vector<at::Tensor> inputs_;
  std::vector<Spec> specs_;
};

TEST(SequenceLayers, GiveTheSameNumbersAsPythonsTorch) {
  const Json truth = load_parity("sequences.json");
  ASSERT_EQ(truth.at("cases").size(), 31U);
  for (const Json& one : truth.at("cases")) {
    SCOPED_TRACE(one.at("layer").get<std::string>() + " " + one.at("options").dump());
    const int64_t vocabulary = truth.at("vocabulary");
    SequenceParity(one, vocabulary, Kernels::kPlain, at::kDouble).expect();
    for (const Kernels kernels : {Kernels::kFast, Kernels::kPlain})
      SequenceParity(one, vocabulary, kernels, at::kFloat).expect();
  }
}

}  // namespace
}  // namespace hearth
