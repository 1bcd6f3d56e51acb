// Expressions of every value by itself that are worth a pass of their own.
#include "hearth/kernels/activation/activation_values.h"

#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/hardsigmoid.h>
#include <ATen/ops/hardswish.h>
#include <ATen/ops/relu6.h>
#include <ATen/ops/silu.h>
#include <torch/csrc/autograd/custom_function.h>

#include "hearth/kernels/activation/activation_passes.h"
#include "hearth/kernels/second_order.h"

namespace hearth {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr int64_t kPointwiseGrain = 4096;  // values worth a thread

// The values of a tensor one behind the other, in whichever order: images stay channels-last.
at::Tensor dense(const at::Tensor& tensor) {
  return tensor.is_non_overlapping_and_dense() ? tensor : tensor.contiguous();
}

at::Tensor dense_like(const at::Tensor& tensor, const at::Tensor& model) {
  if (tensor.strides() == model.strides() && tensor.is_non_overlapping_and_dense()) return tensor;
  return at::empty_like(model).copy_(tensor);
}

// The gradient by the input, from what was kept and the pass over it.
at::Tensor result_of_pass(AutogradContext* context, const at::Tensor& flow) {
  refuse_second_order();
  const at::Tensor kept = context->get_saved_variables()[0];
  const at::Tensor gradient = dense_like(flow, kept);
  const at::Tensor result = at::empty_like(kept);
  const auto pass = reinterpret_cast<decltype(PointwisePasses::gradient)>(
      context->saved_data["gradient"].toInt());
  at::parallel_for(0, kept.numel(), kPointwiseGrain, [&](int64_t from, int64_t to) {
    pass(kept.data_ptr<float>() + from, gradient.data_ptr<float>() + from,
         result.data_ptr<float>() + from, to - from);
  });
  return result;
}

struct PointwiseFunction : torch::autograd::Function<PointwiseFunction> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& input,
                            const PointwisePasses& of) {
    const at::Tensor output = at::empty_like(input);
    at::parallel_for(0, input.numel(), kPointwiseGrain, [&](int64_t from, int64_t to) {
      of.values(input.data_ptr<float>() + from, output.data_ptr<float>() + from, to - from);
    });
    context->save_for_backward({input});
    context->saved_data["gradient"] = reinterpret_cast<int64_t>(of.gradient);
    return output;
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    return {result_of_pass(context, gradients[0]), at::Tensor()};
  }
};

// The slopes are kept instead of the input, where gradients are wanted: the backward pass is a
// multiplication.
struct SlopeFunction : torch::autograd::Function<SlopeFunction> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& input,
                            const SlopePasses& of) {
    const at::Tensor output = at::empty_like(input);
    const at::Tensor slopes = at::empty_like(input);
    at::parallel_for(0, input.numel(), kPointwiseGrain, [&](int64_t from, int64_t to) {
      of.both(input.data_ptr<float>() + from, output.data_ptr<float>() + from,
              slopes.data_ptr<float>() + from, to - from);
    });
    context->save_for_backward({slopes});
    context->saved_data["gradient"] = reinterpret_cast<int64_t>(of.gradient);
    return output;
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    return {result_of_pass(context, gradients[0]), at::Tensor()};
  }
};

at::Tensor values_alone(const at::Tensor& input, const SlopePasses& of) {
  const at::Tensor output = at::empty_like(input);
  at::parallel_for(0, input.numel(), kPointwiseGrain, [&](int64_t from, int64_t to) {
    of.values(input.data_ptr<float>() + from, output.data_ptr<float>() + from, to - from);
  });
  return output;
}

at::Tensor fast_values(const at::Tensor& input, const SlopePasses& of) {
  if (at::GradMode::is_enabled() && input.requires_grad())
    return SlopeFunction::apply(dense(input), of);
  return values_alone(dense(input), of);
}

at::Tensor fast_values(const at::Tensor& input, const PointwisePasses& of) {
  return PointwiseFunction::apply(dense(input), of);
}

// By the widest vectors there are.
const ActivationPasses& passes() {
  static const ActivationPasses found =
      has_wide_vector_unit() ? activation_passes_avx512() : activation_passes_avx2();
  return found;
}

// LibTorch's backward pass takes a gradient that lies in another order in memory than the input as
// if it lay in the same.
at::Tensor plain_gelu(const at::Tensor& input, const std::string& approximate) {
  const at::Tensor output = at::gelu(input.contiguous(), approximate);
  if (output.requires_grad())
    output.register_hook([](const at::Tensor& gradient) { return gradient.contiguous(); });
  return output;
}

}  // namespace

at::Tensor silu_values(Kernels kernels, const at::Tensor& input) {
  return goes_fast(kernels, input) ? fast_values(input, passes().silu) : at::silu(input);
}

at::Tensor hardswish_values(Kernels kernels, const at::Tensor& input) {
  return goes_fast(kernels, input) ? fast_values(input, passes().hardswish) : at::hardswish(input);
}

at::Tensor hardsigmoid_values(Kernels kernels, const at::Tensor& input) {
  return goes_fast(kernels, input) ? fast_values(input, passes().hardsigmoid)
                                   : at::hardsigmoid(input);
}

at::Tensor relu6_values(Kernels kernels, const at::Tensor& input) {
  return goes_fast(kernels, input) ? fast_values(input, passes().relu6) : at::relu6(input);
}

at::Tensor gelu_values(Kernels kernels, const at::Tensor& input, const std::string& approximate) {
  const bool is_exact = approximate == "none";
  return is_exact && goes_fast(kernels, input) ? fast_values(input, passes().gelu)
                                               : plain_gelu(input, approximate);
}

at::Tensor activated(Kernels kernels, const at::Tensor& input, Activation activation) {
  switch (activation) {
    case Activation::kNone:
      return input;
    case Activation::kRelu6:
      return relu6_values(kernels, input);
    case Activation::kSilu:
      return silu_values(kernels, input);
    case Activation::kHardswish:
      return hardswish_values(kernels, input);
  }
  return input;
}

}  // namespace hearth
