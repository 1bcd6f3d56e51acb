// A two-dimensional transposed convolution: every method of a convolution, the other way round.
#include "hearth/kernels/convolution/transposed_convolution.h"

#include <ATen/Parallel.h>
#include <ATen/ops/conv_transpose2d.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>

#include "hearth/kernels/convolution/convolution_method.h"
#include "hearth/kernels/product/rows_avx2.h"
#include "hearth/kernels/second_order.h"

namespace hearth {
namespace {

constexpr int64_t kBiasGrain = 16384;  // values worth a thread
constexpr int64_t kNarrow = 8;         // channels

// Few channels fill no vector: a matrix product, as LibTorch's, wastes less.
ConvolutionMethodPointer transposed_method(const ConvolutionGeometry& g) {
  const bool is_narrow = std::min(g.in, g.out) < kNarrow && g.shape.groups == 1;
  return is_narrow ? matrix_method(g) : make_method(g);
}

void add_bias(const ConvolutionGeometry& g, const float* bias, float* output) {
  const int64_t rows = g.batch * g.height * g.width;
  at::parallel_for(0, rows, kBiasGrain / g.in + 1, [&](int64_t from, int64_t to) {
    add_tail_avx2(output + from * g.in, to - from, g.in, g.in, {bias, nullptr, false});
  });
}

// The method's input is this one's output, and the other way round.
struct TransposedFunction : torch::autograd::Function<TransposedFunction> {
  static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& input,
                            const at::Tensor& weight, const c10::optional<at::Tensor>& bias,
                            const ConvolutionMethodPointer& method) {
    const ConvolutionGeometry& g = method->geometry();
    const at::Tensor output = empty_image(input, {g.batch, g.in, g.height, g.width});
    method->input_gradient(input.data_ptr<float>(), weight, output.data_ptr<float>());
    if (bias) add_bias(g, bias->data_ptr<float>(), output.data_ptr<float>());
    context->save_for_backward({input, weight});
    context->saved_data["method"] = at::IValue::make_capsule(method);
    context->saved_data["has_bias"] = bias.has_value();
    return output;
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 const torch::autograd::variable_list& gradients) {
    refuse_second_order();
    const auto capsule = context->saved_data["method"].toCapsule();
    auto& method = static_cast<ConvolutionMethod&>(*capsule);
    const ConvolutionGeometry& g = method.geometry();
    const auto saved = context->get_saved_variables();
    const at::Tensor gradient = gradients[0].contiguous(at::MemoryFormat::ChannelsLast);
    const float* flow = gradient.data_ptr<float>();
    torch::autograd::variable_list results(4);
    if (context->needs_input_grad(0)) {
      results[0] = empty_image(saved[0], saved[0].sizes());
      method.forward(flow, saved[1], nullptr, results[0].data_ptr<float>());
    }
    if (context->needs_input_grad(1)) {
      results[1] = at::empty_like(saved[1]);
      method.weight_gradient(saved[0].data_ptr<float>(), flow, results[1], nullptr);
    }
    if (context->saved_data["has_bias"].toBool() && context->needs_input_grad(2)) {
      results[2] = at::empty({g.in}, saved[1].options());
      sum_places(flow, g.batch * g.height * g.width, g.in, g.threads, results[2].data_ptr<float>());
    }
    return results;
  }
};

bool transposed_goes_fast(Kernels kernels, const at::Tensor& input, const at::Tensor& weight,
                          const at::Tensor& bias, int64_t groups) {
  return goes_fast(kernels, input) && goes_fast(kernels, weight) && input.dim() == 4 &&
         weight.dim() == 4 && input.numel() > 0 && input.size(1) == weight.size(0) &&
         weight.size(0) % groups == 0 &&
         (!bias.defined() || (goes_fast(kernels, bias) && bias.numel() == weight.size(1) * groups));
}

}  // namespace

TransposedConvolution::TransposedConvolution(ConvolutionShape shape, Sides<2> further)
    : shape_(shape),
      further_(further),
      methods_(std::make_unique<MethodCache>(transposed_method)) {}
TransposedConvolution::~TransposedConvolution() = default;

at::Tensor TransposedConvolution::run(Kernels kernels, const at::Tensor& input,
                                      const at::Tensor& weight, const at::Tensor& bias) {
  if (transposed_goes_fast(kernels, input, weight, bias, shape_.groups)) {
    const auto length = [&](size_t side) {
      const auto axis = static_cast<int64_t>(side) + 2;
      const int64_t window = shape_.dilation[side] * (weight.size(axis) - 1) + 1;
      return (input.size(axis) - 1) * shape_.stride[side] + window - 2 * shape_.padding[side] +
             further_[side];
    };
    ConvolutionGeometry geometry = {input.size(0),  weight.size(1) * shape_.groups,
                                    length(0),      length(1),
                                    weight.size(0), weight.size(2),
                                    weight.size(3), shape_};
    geometry.threads = at::get_num_threads();
    const bool fits = geometry.height > 0 && geometry.width > 0 &&
                      geometry.out_height() == input.size(2) &&
                      geometry.out_width() == input.size(3);
    if (const auto method = fits ? methods_->find(geometry) : ConvolutionMethodPointer()) {
      return TransposedFunction::apply(input.contiguous(at::MemoryFormat::ChannelsLast),
                                       weight.contiguous(), optional_tensor(bias), method);
    }
  }
  return at::conv_transpose2d(input, weight, bias, shape_.stride.lengths(),
                              at::IntArrayRef(shape_.padding.lengths()), further_.lengths(),
                              shape_.groups, shape_.dilation.lengths());
}

}  // namespace hearth
