// For tests: a fast kernel's gradient against differences of its plain twin in double.
#pragma once

#include "hearth/kernels/comparison_test.h"
#include "hearth/tensor/gradient_check.h"

namespace hearth {

// `gradients` are of the sum of the outputs times `weights`. Inputs are float32, or undefined.
inline void expect_slopes(const KernelRun& run, const std::vector<at::Tensor>& inputs,
                          const std::vector<at::Tensor>& gradients, const at::Tensor& weights,
                          double tolerance) {
  std::vector<at::Tensor> points;
  ClaimedGradients claims;
  for (size_t i = 0; i < inputs.size(); ++i) {
    points.push_back(inputs[i].defined() ? inputs[i].detach().to(at::kDouble) : at::Tensor());
    if (inputs[i].defined())
      claims.push_back({"input " + std::to_string(i), points[i], gradients[i]});
  }
  expect_gradient_slopes(
      claims, [&] { return inner_product(run(Kernels::kPlain, points), weights); }, tolerance);
}

// With the gradients that autograd takes from the fast path.
inline void expect_fast_slopes(const KernelRun& run, const std::vector<at::Tensor>& inputs,
                               const std::string& what, double tolerance = 1e-5) {
  SCOPED_TRACE(what);
  std::vector<at::Tensor> own;
  for (const at::Tensor& input : inputs)
    own.push_back(input.defined() ? input.detach().clone().set_requires_grad(true) : input);
  const at::Tensor output = run(Kernels::kFast, own);
  const at::Tensor weights = at::randn(output.sizes());
  output.backward(weights);
  std::vector<at::Tensor> gradients;
  for (const at::Tensor& input : own)
    gradients.push_back(input.defined() ? input.grad() : at::Tensor());
  expect_slopes(run, inputs, gradients, weights, tolerance);
}

}  // namespace hearth
