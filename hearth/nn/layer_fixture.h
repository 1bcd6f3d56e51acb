// For tests: layers built from their choices, and inputs for them.
#pragma once

#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>

#include <memory>
#include <string>
#include <vector>

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/nn/gradient_check.h"
#include "hearth/nn/layer.h"

namespace hearth {

inline Spec float_spec(std::vector<int64_t> shape) {
  Spec spec;
  spec.shape = std::move(shape);
  return spec;
}

inline std::unique_ptr<Layer> built(const Choice<Layer>& choice, const Spec& input,
                                    const BuildContext& context = {7, "net", 0}) {
  std::unique_ptr<Layer> layer = registry<Layer>().make(choice);
  (void)layer->build(input, context);
  return layer;
}

inline at::Tensor random_batch(std::vector<int64_t> shape) {
  at::manual_seed(3);
  shape.insert(shape.begin(), 2);
  return at::randn(shape, at::kFloat);
}

// The built layer's output spec must be that of a real output.
inline void expect_spec(const Choice<Layer>& choice, const std::vector<int64_t>& shape,
                        const std::vector<int64_t>& expected) {
  const auto layer = built(choice, float_spec(shape));
  EXPECT_EQ(layer->output_spec().shape, expected);
  EXPECT_EQ((*layer)(random_batch(shape)).sizes().slice(1).vec(), expected);
}

inline Spec token_spec(int64_t length, int64_t classes) {
  Spec spec;
  spec.dtype = DType::kInt64;
  spec.shape = {length};
  spec.classes = classes;
  return spec;
}

inline at::Tensor random_tokens(int64_t length, int64_t classes) {
  at::manual_seed(3);
  return at::randint(classes, {2, length}, at::kLong);
}

inline std::vector<std::string> names_of(const std::vector<NamedTensor>& tensors) {
  std::vector<std::string> names;
  for (const auto& [name, tensor] : tensors) names.push_back(name);
  return names;
}

inline void expect_gradients_of(const Choice<Layer>& choice, const std::vector<int64_t>& shape) {
  const auto layer = built(choice, float_spec(shape), {7, "net", 3});
  expect_layer_gradients(*layer, random_batch(shape));
}

// The message of the GraphError that building gives.
inline std::string build_fault(const Choice<Layer>& choice, const Spec& input) {
  try {
    (void)built(choice, input);
  } catch (const GraphError& error) {
    return error.what();
  }
  return "no fault";
}

}  // namespace hearth
