// A linear layer: input times transposed weight, plus bias.
#include "hearth/kernels/linear.h"

#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/relu.h>
#include <torch/csrc/autograd/custom_function.h>

#include "hearth/kernels/onednn.h"
#include "hearth/kernels/rows_avx2.h"
#include "hearth/kernels/second_order.h"

namespace hearth {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// Rows or columns that are worth a thread: below it, waking one costs more than it saves.
constexpr int64_t kLinearGrain = 16;

struct LinearSize {
  int64_t rows;
  int64_t in;
  int64_t out;
};

LinearSize linear_size(const at::Tensor& input, const at::Tensor& weight) {
  return {input.numel() / weight.size(1), weight.size(1), weight.size(0)};
}

// Every thread takes the bias and the relu along while its part of the product is in its cache.
void linear_forward(const LinearSize& size, const float* input, const float* weight,
                    const float* bias, bool relu, float* output) {
  const bool by_rows = size.rows >= size.out;
  at::parallel_for(0, by_rows ? size.rows : size.out, kLinearGrain, [&](int64_t from, int64_t to) {
    const int64_t row = by_rows ? from : 0;
    const int64_t rows = by_rows ? to - from : size.rows;
    const int64_t column = by_rows ? 0 : from;
    const int64_t columns = by_rows ? size.out : to - from;
    float* part = output + row * size.out + column;
    multiply(rows, columns, size.in, {input + row * size.in, size.in},
             {weight + column * size.in, size.in, true}, part, size.out);
    add_bias_avx2(part, rows, columns, size.out, bias == nullptr ? nullptr : bias + column, relu);
  });
}

// What flows in, with the relu's zeros: [rows, out].
at::Tensor linear_masked(const at::Tensor& gradient, const at::Tensor& output,
                         const LinearSize& size) {
  const at::Tensor masked = at::empty_like(gradient);
  at::parallel_for(0, size.rows, kLinearGrain, [&](int64_t from, int64_t to) {
    const int64_t start = from * size.out;
    mask_gradient_avx2(gradient.data_ptr<float>() + start, output.data_ptr<float>() + start,
                       masked.data_ptr<float>() + start, to - from, size.out, size.out);
  });
  return masked;
}

// Gradients of weight and bias: every thread owns some outputs, so that nothing is summed twice.
void linear_weight_gradient(const LinearSize& size, const float* gradient, const float* input,
                            float* weight_gradient, float* bias_gradient) {
  at::parallel_for(0, size.out, kLinearGrain, [&](int64_t from, int64_t to) {
    multiply(to - from, size.in, size.rows, {gradient + from, size.out, true}, {input, size.in},
             weight_gradient + from * size.in, size.in);
    if (bias_gradient == nullptr) return;
    sum_rows_avx2(gradient + from, size.rows, to - from, size.out, bias_gradient + from);
  });
}

void linear_input_gradient(const LinearSize& size, const float* gradient, const float* weight,
                           float* input_gradient) {
  at::parallel_for(0, size.rows, kLinearGrain, [&](int64_t from, int64_t to) {
    multiply(to - from, size.in, size.out, {gradient + from * size.out, size.out},
             {weight, size.in}, input_gradient + from * size.in, size.in);
  });
}

struct LinearFunction : torch::autograd::Function<LinearFunction> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& input,
                            const at::Tensor& weight, const c10::optional<at::Tensor>& bias,
                            bool relu) {
    const LinearSize size = linear_size(input, weight);
    std::vector<int64_t> shape = input.sizes().vec();
    shape.back() = size.out;
    const at::Tensor output = at::empty(shape, input.options());
    linear_forward(size, input.data_ptr<float>(), weight.data_ptr<float>(),
                   bias ? bias->data_ptr<float>() : nullptr, relu, output.data_ptr<float>());
    context->save_for_backward({input, weight, relu ? output : at::Tensor()});
    context->saved_data["wants_bias"] = bias.has_value();
    return output;
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    refuse_second_order();
    const variable_list saved = context->get_saved_variables();
    const at::Tensor& input = saved[0];
    const at::Tensor& weight = saved[1];
    const LinearSize size = linear_size(input, weight);
    at::Tensor gradient = gradients[0].contiguous();
    if (saved[2].defined()) gradient = linear_masked(gradient, saved[2], size);
    const float* flow = gradient.data_ptr<float>();
    variable_list results(4);
    if (context->needs_input_grad(0)) {
      results[0] = at::empty_like(input);
      linear_input_gradient(size, flow, weight.data_ptr<float>(), results[0].data_ptr<float>());
    }
    if (context->saved_data["wants_bias"].toBool()) {
      results[2] = at::empty({size.out}, weight.options());
    }
    results[1] = at::empty_like(weight);
    linear_weight_gradient(size, flow, input.data_ptr<float>(), results[1].data_ptr<float>(),
                           results[2].defined() ? results[2].data_ptr<float>() : nullptr);
    return results;
  }
};

// What does not fit goes to LibTorch, which says so.
bool linear_goes_fast(Kernels kernels, const at::Tensor& input, const at::Tensor& weight,
                      const at::Tensor& bias) {
  return goes_fast(kernels, input) && goes_fast(kernels, weight) && input.dim() > 0 &&
         weight.dim() == 2 && input.size(-1) == weight.size(1) && input.numel() > 0 &&
         (!bias.defined() || (goes_fast(kernels, bias) && bias.numel() == weight.size(0)));
}

}  // namespace

at::Tensor linear_product(Kernels kernels, const at::Tensor& input, const at::Tensor& weight,
                          const at::Tensor& bias, bool relu) {
  if (linear_goes_fast(kernels, input, weight, bias)) {
    return LinearFunction::apply(input.contiguous(), weight.contiguous(),
                                 bias.defined() ? c10::optional<at::Tensor>(bias) : c10::nullopt,
                                 relu);
  }
  const at::Tensor output = at::linear(input, weight, bias);
  return relu ? at::relu(output) : output;
}

}  // namespace hearth
