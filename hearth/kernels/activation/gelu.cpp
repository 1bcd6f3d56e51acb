// A smooth relu: x times the share of a normal distribution below x, value by value.
#include "hearth/kernels/activation/gelu.h"

#include <ATen/Parallel.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/gelu.h>
#include <torch/csrc/autograd/custom_function.h>

#include "hearth/kernels/activation/gelu_avx2.h"
#include "hearth/kernels/second_order.h"

namespace hearth {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr int64_t kGeluGrain = 4096;  // values worth a thread

struct GeluFunction : torch::autograd::Function<GeluFunction> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& input) {
    const at::Tensor output = at::empty_like(input);
    at::parallel_for(0, input.numel(), kGeluGrain, [&](int64_t from, int64_t to) {
      gelu_avx2(input.data_ptr<float>() + from, output.data_ptr<float>() + from, to - from);
    });
    context->save_for_backward({input});
    return output;
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    refuse_second_order();
    const at::Tensor input = context->get_saved_variables()[0];
    const at::Tensor gradient = gradients[0].contiguous();
    const at::Tensor result = at::empty_like(input);
    at::parallel_for(0, input.numel(), kGeluGrain, [&](int64_t from, int64_t to) {
      gelu_gradient_avx2(input.data_ptr<float>() + from, gradient.data_ptr<float>() + from,
                         result.data_ptr<float>() + from, to - from);
    });
    return {result};
  }
};

// LibTorch's backward pass takes a gradient that lies in another order in memory than the input as
// if it lay in the same.
at::Tensor plain_gelu(const at::Tensor& input, const std::string& approximate) {
  const at::Tensor output = at::gelu(input.contiguous(), approximate);
  if (output.requires_grad())
    output.register_hook([](const at::Tensor& gradient) { return gradient.contiguous(); });
  return output;
}

}  // namespace

at::Tensor gelu_values(Kernels kernels, const at::Tensor& input, const std::string& approximate) {
  if (goes_fast(kernels, input) && approximate == "none") {
    return GeluFunction::apply(input.contiguous());
  }
  return plain_gelu(input, approximate);
}

}  // namespace hearth
