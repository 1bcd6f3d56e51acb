// For tests: layers as their cases describe them, and what comes of calling them.
#pragma once

#include <ATen/Context.h>
#include <ATen/ops/linspace.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "hearth/nn/gradient_check.h"
#include "hearth/nn/layer.h"
#include "tests/conformance/component_cases.h"

namespace hearth {

// What a layer is tried with, besides its options.
struct LayerCase {
  std::vector<int64_t> input = {};  // the shape of one sample
  bool tokens = false;              // int64 numbers below kCaseClasses instead of floats
  double tolerance = 1e-6;          // deep ones have kinks of a relu within a difference
  // Sizes at which other kernels take over; their gradients are not held against differences.
  bool large = false;
  // Whether gradients are those of differences: not where a layer changes what flows back.
  bool differences = true;
  // So many layers, each tried by itself, that rounding in the first ones decides about relus in
  // the last: values are held against torchvision's or PyTorch's by the tests of parity, and their
  // precision by the median of some draws.
  bool deep = false;
  // Divides what comes in by its length: where that is next to nothing, rounding is all there is.
  bool scale_free = false;
  static constexpr const char* kExample =
      "small:\n  options: {}\n  input: [2, 3]  # the shape of a sample it takes\n";

  static const Schema<LayerCase>& schema() {
    using L = LayerCase;
    static const auto fields =
        Schema<L>()
            .field(&L::input, "input", "The shape of one sample.", required())
            .field(&L::tokens, "tokens", "Whole numbers instead of floats.")
            .field(&L::tolerance, "tolerance", "Of gradients beside differences.", above(0))
            .field(&L::large, "large", "Too large for differences.")
            .field(&L::differences, "differences", "Whether gradients are those of differences.")
            .field(&L::deep, "deep", "Too deep for values to be compared.")
            .field(&L::scale_free, "scale_free", "Divides by the length of what comes in.");
    return fields;
  }
};
using TriedLayer = Tried<Layer, LayerCase>;

// Of every layer; `deep` ones are left out where single values are compared, `large` ones where
// each value is looked at.
inline std::vector<TriedLayer> layer_cases() { return all_cases<Layer, LayerCase>(); }
inline std::vector<TriedLayer> compared_layer_cases() {
  std::vector<TriedLayer> cases = layer_cases();
  std::erase_if(cases, [](const TriedLayer& tried) { return tried.tried.deep; });
  return cases;
}
inline std::vector<TriedLayer> small_layer_cases() {
  std::vector<TriedLayer> cases = compared_layer_cases();
  std::erase_if(cases, [](const TriedLayer& tried) { return tried.tried.large; });
  return cases;
}

inline Spec case_spec(const LayerCase& tried) {
  Spec input;
  input.shape = tried.input;
  if (tried.tokens) {
    input.dtype = DType::kInt64;
    input.classes = kCaseClasses;
  }
  return input;
}

inline at::Tensor case_batch(const LayerCase& tried, int64_t samples = kCaseBatch,
                             uint64_t seed = 3) {
  at::manual_seed(seed);
  std::vector<int64_t> sizes = tried.input;
  sizes.insert(sizes.begin(), samples);
  if (tried.tokens) return at::randint(kCaseClasses, sizes, at::kLong);
  return at::randn(sizes, at::kFloat).set_requires_grad(true);
}

// Everything with a gradient: the parameters, and the input unless it is tokens.
inline std::vector<NamedTensor> learning_tensors(const Layer& layer, const at::Tensor& input) {
  std::vector<NamedTensor> tensors = layer.parameters();
  if (input.requires_grad()) tensors.emplace_back("the input", input);
  return tensors;
}

// What one call and its backward pass give, by name: the output, gradients, buffers. Random layers
// draw the same every time.
using Results = std::vector<NamedTensor>;
using MakeFlow = std::function<at::Tensor(at::IntArrayRef sizes)>;

inline Results call_results(Layer& layer, const at::Tensor& input, const MakeFlow& flow) {
  at::manual_seed(1);
  const at::Tensor output = layer(input);
  output.backward(flow(output.sizes()).to(output.scalar_type()));
  Results results = {{"the output", output.detach()}};
  for (const auto& [name, tensor] : learning_tensors(layer, input)) {
    results.emplace_back("the gradient of " + name, tensor.grad());
    tensor.mutable_grad() = at::Tensor();
  }
  for (const auto& [name, buffer] : layer.buffers()) results.emplace_back(name, buffer.clone());
  return results;
}

// The same values by themselves, in another type; it learns when the first did.
inline at::Tensor own_input(const at::Tensor& input, at::ScalarType type = at::kFloat) {
  if (!input.is_floating_point()) return input;
  return input.detach().to(type, false, /*copy=*/true).set_requires_grad(true);
}

// Tests over the cases of layers.
class LayerCaseTest : public CaseTest<Layer, LayerCase> {
 protected:
  static const LayerCase& tried() { return GetParam().tried; }
  static std::unique_ptr<Layer> built_layer(Kernels kernels) {
    std::unique_ptr<Layer> layer = make();
    (void)layer->build(case_spec(tried()), {7, "net", kCaseClasses, kernels});
    return layer;
  }
  static at::Tensor batch(int64_t samples = kCaseBatch) { return case_batch(tried(), samples); }
};

}  // namespace hearth
