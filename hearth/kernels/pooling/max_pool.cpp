// The largest value of every window of an image.
#include "hearth/kernels/pooling/max_pool.h"

#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/max_pool2d.h>
#include <ATen/ops/relu.h>
#include <torch/csrc/autograd/custom_function.h>

#include "hearth/kernels/pooling/max_pool_avx2.h"
#include "hearth/kernels/second_order.h"

namespace hearth {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

PoolGeometry pool_geometry(at::IntArrayRef sizes, const PoolShape<2>& shape, bool relu) {
  return {sizes[1],
          sizes[2],
          sizes[3],
          shape.places(0, sizes[2]),
          shape.places(1, sizes[3]),
          shape.kernel[0],
          shape.stride[0],
          shape.padding[0],
          relu};
}

at::Tensor empty_pooled(const at::Tensor& like, int64_t batch, const PoolGeometry& g,
                        at::ScalarType type) {
  return at::empty({batch, g.channels, g.out_height, g.out_width}, like.options().dtype(type),
                   at::MemoryFormat::ChannelsLast);
}

struct MaxPoolFunction : torch::autograd::Function<MaxPoolFunction> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& input,
                            const PoolShape<2>& shape, bool relu) {
    const PoolGeometry g = pool_geometry(input.sizes(), shape, relu);
    const at::Tensor output = empty_pooled(input, input.size(0), g, at::kFloat);
    const at::Tensor places = empty_pooled(input, input.size(0), g, at::kByte);
    const int64_t in = g.height * g.width * g.channels;
    const int64_t out = g.out_height * g.out_width * g.channels;
    at::parallel_for(0, input.size(0), 1, [&](int64_t from, int64_t to) {
      for (int64_t image = from; image < to; ++image)
        max_pool_image_avx2(g, input.data_ptr<float>() + image * in,
                            output.data_ptr<float>() + image * out,
                            places.data_ptr<uint8_t>() + image * out);
    });
    context->save_for_backward({places});
    context->saved_data["size"] = input.sizes().vec();
    context->saved_data["shape"] =
        std::vector<int64_t>{shape.kernel[0], shape.stride[0], shape.padding[0]};
    context->saved_data["ceil_mode"] = shape.ceil_mode;
    return output;
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    refuse_second_order();
    const at::Tensor places = context->get_saved_variables()[0];
    const std::vector<int64_t> size = context->saved_data["size"].toIntVector();
    const std::vector<int64_t> shape = context->saved_data["shape"].toIntVector();
    const bool ceil_mode = context->saved_data["ceil_mode"].toBool();
    const PoolGeometry g = pool_geometry(size, {shape[0], shape[1], shape[2], 1, ceil_mode}, false);
    const at::Tensor gradient = gradients[0].contiguous(at::MemoryFormat::ChannelsLast);
    const at::Tensor result = at::empty(size, gradient.options(), at::MemoryFormat::ChannelsLast);
    const int64_t in = g.height * g.width * g.channels;
    const int64_t out = g.out_height * g.out_width * g.channels;
    at::parallel_for(0, size[0], 1, [&](int64_t from, int64_t to) {
      for (int64_t image = from; image < to; ++image)
        max_pool_gradient_image_avx2(g, gradient.data_ptr<float>() + image * out,
                                     places.data_ptr<uint8_t>() + image * out,
                                     result.data_ptr<float>() + image * in);
    });
    return {result, at::Tensor(), at::Tensor()};
  }
};

// The fast kernel's windows are square, and their points lie side by side.
bool max_pool_goes_fast(Kernels kernels, const at::Tensor& input, const PoolShape<2>& shape) {
  return goes_fast(kernels, input) && input.dim() == 4 && input.numel() > 0 &&
         shape.kernel.are_equal() && shape.stride.are_equal() && shape.padding.are_equal() &&
         shape.dilation == 1 && shape.kernel[0] * shape.kernel[0] < kMostWindowPlaces &&
         2 * shape.padding[0] <= shape.kernel[0] && shape.places(0, input.size(2)) > 0 &&
         shape.places(1, input.size(3)) > 0;
}

}  // namespace

at::Tensor max_pool(Kernels kernels, const at::Tensor& input, const PoolShape<2>& shape,
                    bool relu) {
  if (max_pool_goes_fast(kernels, input, shape)) {
    return MaxPoolFunction::apply(input.contiguous(at::MemoryFormat::ChannelsLast), shape, relu);
  }
  const at::Tensor output =
      at::max_pool2d(input, shape.kernel.lengths(), shape.stride.lengths(), shape.padding.lengths(),
                     shape.dilation.lengths(), shape.ceil_mode);
  return relu ? at::relu(output) : output;
}

}  // namespace hearth
