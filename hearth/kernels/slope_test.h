// For tests: a fast kernel's gradient against differences of its plain twin in double.
#pragma once

#include <c10/core/GradMode.h>

#include "hearth/kernels/comparison_test.h"

namespace hearth {

inline double inner_product(const at::Tensor& left, const at::Tensor& right) {
  return left.to(at::kDouble).mul(right.to(at::kDouble)).sum().item<double>();
}

inline at::Tensor drawn_like(const at::Tensor& like) {
  return like.defined() ? at::randn(like.sizes()) : at::Tensor();
}

// The inputs in double, moved by `length` along the directions.
inline std::vector<at::Tensor> moved(const std::vector<at::Tensor>& inputs,
                                     const std::vector<at::Tensor>& directions, double length) {
  std::vector<at::Tensor> places;
  for (size_t i = 0; i < inputs.size(); ++i)
    places.push_back(
        inputs[i].defined()
            ? inputs[i].detach().to(at::kDouble).add(directions[i].to(at::kDouble), length)
            : at::Tensor());
  return places;
}

// How fast the weighted sum of the outputs grows along the directions, by differences of the plain
// path in double.
inline double plain_slope(const KernelRun& run, const std::vector<at::Tensor>& inputs,
                          const std::vector<at::Tensor>& directions, const at::Tensor& weights) {
  const c10::AutoGradMode no_gradients(false);
  const double step = 1e-7;  // short enough to step over next to no kink of a relu or a maximum
  const double above =
      inner_product(run(Kernels::kPlain, moved(inputs, directions, step)), weights);
  const double below =
      inner_product(run(Kernels::kPlain, moved(inputs, directions, -step)), weights);
  return (above - below) / (2 * step);
}

// The same from gradients; `scale` receives what it usually comes to in a random direction.
inline double slope_of(const std::vector<at::Tensor>& gradients,
                       const std::vector<at::Tensor>& directions, double& scale) {
  double slope = 0;
  double squares = 0;
  for (size_t i = 0; i < gradients.size(); ++i) {
    if (!gradients[i].defined()) continue;
    slope += inner_product(gradients[i], directions[i]);
    squares += inner_product(gradients[i], gradients[i]);
  }
  scale = std::sqrt(squares);
  return slope;
}

// Along each input by itself and along all of them. Inputs are float32, or undefined.
inline void expect_slopes(const KernelRun& run, const std::vector<at::Tensor>& inputs,
                          const std::vector<at::Tensor>& gradients, const at::Tensor& weights,
                          double tolerance) {
  for (size_t alone = 0; alone <= inputs.size(); ++alone) {
    if (alone < inputs.size() && !inputs[alone].defined()) continue;
    std::vector<at::Tensor> directions;
    for (size_t i = 0; i < inputs.size(); ++i) {
      directions.push_back(drawn_like(inputs[i]));
      if (alone < inputs.size() && i != alone && inputs[i].defined()) directions[i].zero_();
    }
    double scale = 0;
    const double slope = slope_of(gradients, directions, scale);
    EXPECT_NEAR(slope, plain_slope(run, inputs, directions, weights), tolerance * scale)
        << (alone < inputs.size() ? "along input " + std::to_string(alone) : "along all inputs");
  }
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
