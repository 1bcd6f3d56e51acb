// A two-dimensional convolution.
#include "hearth/kernels/convolution/convolution.h"

#include <ATen/Parallel.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/relu.h>
#include <torch/csrc/autograd/custom_function.h>

#include "hearth/kernels/activation/relu_gradient.h"
#include "hearth/kernels/convolution/convolution_bfloat16.h"
#include "hearth/kernels/convolution/convolution_method.h"
#include "hearth/kernels/product/products.h"
#include "hearth/kernels/second_order.h"

namespace hearth {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// Of fewer there is hardly anything to sum: rounding them would cost more than it saves.
constexpr int64_t kFewestRoundedChannels = 3;

// Autograd follows the change of form.
at::Tensor ordinary_weight(const at::Tensor& weight) {
  return weight.dim() == 4 ? weight : weight.reshape(ordinary_sizes(weight));
}

struct ConvolutionFunction : torch::autograd::Function<ConvolutionFunction> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& input,
                            const at::Tensor& weight, const c10::optional<at::Tensor>& bias,
                            const ConvolutionMethodPointer& method) {
    const ConvolutionGeometry& g = method->geometry();
    const at::Tensor output = empty_image(input, {g.batch, g.out, g.out_height(), g.out_width()});
    method->forward(input.data_ptr<float>(), weight, bias ? bias->data_ptr<float>() : nullptr,
                    output.data_ptr<float>());
    context->save_for_backward({input, weight, g.has_relu ? output : at::Tensor()});
    context->saved_data["method"] = at::IValue::make_capsule(method);
    return output;
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    refuse_second_order();
    const auto capsule = context->saved_data["method"].toCapsule();
    auto& method = static_cast<ConvolutionMethod&>(*capsule);
    const variable_list saved = context->get_saved_variables();
    at::Tensor gradient = gradients[0].contiguous(at::MemoryFormat::ChannelsLast);
    if (saved[2].defined()) gradient = relu_gradient(gradient, saved[2]);
    variable_list results(4);
    if (context->needs_input_grad(0)) {
      results[0] = empty_image(saved[0], saved[0].sizes());
      method.input_gradient(gradient.data_ptr<float>(), saved[1], results[0].data_ptr<float>());
    }
    const bool has_bias = method.geometry().has_bias;
    if (context->needs_input_grad(1) || (has_bias && context->needs_input_grad(2))) {
      results[1] = at::empty_like(saved[1]);
      if (has_bias) results[2] = at::empty({method.geometry().out}, saved[1].options());
      method.weight_gradient(gradient.data_ptr<float>(), saved[0].data_ptr<float>(), results[1],
                             has_bias ? results[2].data_ptr<float>() : nullptr);
    }
    return results;
  }
};

}  // namespace

Convolution::Convolution(ConvolutionShape shape)
    : shape_(shape),
      methods_(std::make_unique<MethodCache>()),
      rounded_weight_(std::make_unique<KeptWeight>()) {}
Convolution::~Convolution() = default;

ConvolutionGeometry Convolution::geometry_of(at::IntArrayRef input,
                                             const at::Tensor& weight) const {
  const auto [out, in, height, width] = ordinary_sizes(weight);
  return {input[0], input[1], input[2], input[3], out, height, width, shape_};
}

const WeightOrder* Convolution::wanted_order(Kernels kernels, const at::Tensor& weight,
                                             at::IntArrayRef image) {
  if (!goes_fast(kernels, weight)) return nullptr;
  const auto [known, is_new] = wanted_.try_emplace({image[1], image[2]});
  if (is_new) {
    constexpr int64_t kUsualBatch = 32;
    const ConvolutionGeometry geometry =
        geometry_of({kUsualBatch, image[0], image[1], image[2]}, weight);
    known->second = kernels.precision == Precision::kBfloat16 &&
                            geometry.in >= kFewestRoundedChannels &&
                            has_bfloat16_convolution(geometry)
                        ? bfloat16_order(geometry)
                        : order_of_method(geometry);
  }
  return known->second ? &*known->second : nullptr;
}

bool Convolution::goes_fast_through(Kernels kernels, const at::Tensor& input,
                                    const at::Tensor& weight, const at::Tensor& bias) const {
  const auto sizes = ordinary_sizes(weight);
  return goes_fast(kernels, input) && goes_fast(kernels, weight) && input.dim() == 4 &&
         input.size(1) == sizes[1] * shape_.groups && input.numel() > 0 &&
         (!bias.defined() || (goes_fast(kernels, bias) && bias.numel() == sizes[0]));
}

at::Tensor Convolution::run(Kernels kernels, const at::Tensor& input, const at::Tensor& weight,
                            const at::Tensor& bias, bool relu) {
  const bool is_thin = ordinary_sizes(weight)[1] * shape_.groups < kFewestRoundedChannels;
  if (kernels.precision == Precision::kFloat32 || is_thin)
    return run_exact(kernels, input, weight, bias, relu);
  if (kernels.precision == Precision::kBfloat16 &&
      goes_fast_through(kernels, input, weight, bias)) {
    ConvolutionGeometry geometry = geometry_of(input.sizes(), weight);
    geometry.has_bias = bias.defined();
    geometry.has_relu = relu;
    geometry.threads = at::get_num_threads();
    if (geometry.out_height() > 0 && geometry.out_width() > 0 && has_bfloat16_convolution(geometry))
      return bfloat16_convolution(geometry, input.contiguous(at::MemoryFormat::ChannelsLast),
                                  bfloat16_order(geometry).is_order_of(weight)
                                      ? weight
                                      : ordinary_weight(weight).contiguous(),
                                  optional_tensor(bias), *rounded_weight_);
  }
  return run_rounded(kernels, input, weight, bias, relu);
}

at::Tensor Convolution::run_rounded(Kernels kernels, const at::Tensor& input,
                                    const at::Tensor& weight, const at::Tensor& bias, bool relu) {
  const Precision precision = kernels.precision;
  at::Tensor output =
      as_sum(precision, run_exact(kernels.in(Precision::kFloat32), as_factor(precision, input),
                                  as_factor(precision, weight), {}, false));
  if (bias.defined()) output = output.add(bias.view({-1, 1, 1}));
  return relu ? at::relu(output) : output;
}

at::Tensor Convolution::run_exact(Kernels kernels, const at::Tensor& input,
                                  const at::Tensor& weight, const at::Tensor& bias, bool relu) {
  if (goes_fast_through(kernels, input, weight, bias)) {
    ConvolutionGeometry geometry = geometry_of(input.sizes(), weight);
    geometry.has_bias = bias.defined();
    geometry.has_relu = relu;
    geometry.threads = at::get_num_threads();
    if (geometry.out_height() > 0 && geometry.out_width() > 0) {
      if (const ConvolutionMethodPointer method = methods_->find(geometry)) {
        return ConvolutionFunction::apply(
            input.contiguous(at::MemoryFormat::ChannelsLast),
            method->is_in_order(weight) ? weight : ordinary_weight(weight).contiguous(),
            optional_tensor(bias), method);
      }
    }
  }
  const at::Tensor output = at::conv2d(
      input, ordinary_weight(weight), bias, shape_.stride.lengths(),
      at::IntArrayRef(shape_.padding.lengths()), shape_.dilation.lengths(), shape_.groups);
  return relu ? at::relu(output) : output;
}

}  // namespace hearth
