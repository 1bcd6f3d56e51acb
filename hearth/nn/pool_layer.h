// Pools over a grid of one, two or three dimensions.
//   layers.add<MaxPoolLayer<2>>("max_pool2d", "The largest value of each window of an image.");
#pragma once

#include <string>
#include <tuple>

#include <ATen/ops/adaptive_avg_pool1d.h>
#include <ATen/ops/adaptive_avg_pool2d.h>
#include <ATen/ops/adaptive_avg_pool3d.h>
#include <ATen/ops/adaptive_max_pool1d.h>
#include <ATen/ops/adaptive_max_pool2d.h>
#include <ATen/ops/adaptive_max_pool3d.h>
#include <ATen/ops/avg_pool1d.h>
#include <ATen/ops/avg_pool2d.h>
#include <ATen/ops/avg_pool3d.h>
#include <ATen/ops/max_pool1d.h>
#include <ATen/ops/max_pool3d.h>

#include "hearth/kernels/pooling/max_pool.h"
#include "hearth/nn/grid.h"
#include "hearth/nn/pool_options.h"
#include "hearth/nn/requirements.h"

namespace hearth {

// What comes out of windows that lie so; GraphError when none fits.
template <size_t Dimensions>
[[nodiscard]] Spec pooled_spec(const BuildContext& context, const std::string& layer,
                               const Spec& input, const PoolShape<Dimensions>& shape) {
  require_grid(context, layer, input, Dimensions);
  Spec output;
  output.shape = {input.shape[0]};
  for (size_t side = 0; side < Dimensions; ++side) {
    const int64_t size = input.shape[side + 1];
    const bool is_any = Dimensions == 1 && size == kAnyLength;
    // What the last window may lack, the only one may lack too.
    const int64_t lacking = shape.ceil_mode ? shape.stride[side] - 1 : 0;
    if (!is_any)
      (void)window_places(context, layer, input, size + 2 * shape.padding[side] + lacking,
                          shape.window(side), shape.stride[side]);
    output.shape.push_back(is_any ? kAnyLength : shape.places(side, size));
  }
  return output;
}

template <size_t Dimensions>
class MaxPoolLayer : public Layer {
 public:
  using Options = MaxPoolOptions<Dimensions>;
  explicit MaxPoolLayer(const Options& options)
      : shape_{options.kernel_size, options.stride.value_or(options.kernel_size), options.padding,
               options.dilation, options.ceil_mode} {}

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    return pooled_spec(context, name_by_dimensions("max_pool", Dimensions), input, shape_);
  }

  at::Tensor forward(const at::Tensor& input) override { return forward(input, {}); }

  at::Tensor forward(const at::Tensor& input, const Tail& tail) override {
    if constexpr (Dimensions == 2) {
      if (!tail.addend.defined()) return max_pool(kernels(), input, shape_, tail.relu);
      return apply_tail(max_pool(kernels(), input, shape_), tail);
    } else {
      const auto pool = Dimensions == 1 ? at::max_pool1d : at::max_pool3d;
      return apply_tail(pool(input, shape_.kernel.lengths(), shape_.stride.lengths(),
                             shape_.padding.lengths(), shape_.dilation.lengths(), shape_.ceil_mode),
                        tail);
    }
  }

 private:
  PoolShape<Dimensions> shape_;
};

template <size_t Dimensions>
class AveragePoolLayer : public Layer {
 public:
  using Options = AveragePoolOptions<Dimensions>;
  explicit AveragePoolLayer(const Options& options)
      : shape_{options.kernel_size, options.stride.value_or(options.kernel_size), options.padding,
               1, options.ceil_mode},
        counts_padding_(options.count_include_pad) {}

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    return pooled_spec(context, name_by_dimensions("average_pool", Dimensions), input, shape_);
  }

  at::Tensor forward(const at::Tensor& input) override {
    const at::IntArrayRef kernel = shape_.kernel.lengths();
    const at::IntArrayRef stride = shape_.stride.lengths();
    const at::IntArrayRef padding = shape_.padding.lengths();
    if constexpr (Dimensions == 1)
      return at::avg_pool1d(input, kernel, stride, padding, shape_.ceil_mode, counts_padding_);
    else if constexpr (Dimensions == 2)
      return at::avg_pool2d(input, kernel, stride, padding, shape_.ceil_mode, counts_padding_);
    else
      return at::avg_pool3d(input, kernel, stride, padding, shape_.ceil_mode, counts_padding_);
  }

 private:
  PoolShape<Dimensions> shape_;
  bool counts_padding_;
};

enum class AdaptivePool { kAverage, kMax };

template <size_t Dimensions, AdaptivePool Kind>
class AdaptivePoolLayer : public Layer {
 public:
  using Options = AdaptivePoolOptions<Dimensions>;
  explicit AdaptivePoolLayer(const Options& options) : size_(options.size) {}

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    const std::string name =
        Kind == AdaptivePool::kMax ? "adaptive_max_pool" : "adaptive_average_pool";
    require_grid(context, name_by_dimensions(name, Dimensions), input, Dimensions);
    Spec output;
    output.shape = {input.shape[0]};
    output.shape.insert(output.shape.end(), size_.lengths().begin(), size_.lengths().end());
    return output;
  }

  at::Tensor forward(const at::Tensor& input) override {
    const at::IntArrayRef size = size_.lengths();
    if constexpr (Kind == AdaptivePool::kMax) {
      if constexpr (Dimensions == 1) return std::get<0>(at::adaptive_max_pool1d(input, size));
      if constexpr (Dimensions == 2) return std::get<0>(at::adaptive_max_pool2d(input, size));
      if constexpr (Dimensions == 3) return std::get<0>(at::adaptive_max_pool3d(input, size));
    } else {
      if constexpr (Dimensions == 1) return at::adaptive_avg_pool1d(input, size);
      if constexpr (Dimensions == 2) return at::adaptive_avg_pool2d(input, size);
      if constexpr (Dimensions == 3) return at::adaptive_avg_pool3d(input, size);
    }
  }

 private:
  Sides<Dimensions> size_;
};

}  // namespace hearth
