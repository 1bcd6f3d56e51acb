// A two-dimensional convolution.
#pragma once

#include <cstdint>
#include <memory>

#include "hearth/kernels/kernels.h"

namespace hearth {

struct ConvolutionShape {
  int64_t stride = 1;
  int64_t padding = 0;
  int64_t dilation = 1;
  int64_t groups = 1;
  [[nodiscard]] bool operator==(const ConvolutionShape&) const = default;
};

// One convolution of a model: keeps what can be kept between steps, such as the weights in the
// layout the machine wants. `weight` and `bias` are always ordinary tensors, and a change of theirs
// is noticed.
class Convolution {
 public:
  explicit Convolution(ConvolutionShape shape);
  ~Convolution();
  Convolution(const Convolution&) = delete;
  Convolution& operator=(const Convolution&) = delete;

  // [B, C, H, W] to [B, O, H', W'], in channels-last order when the fast kernel ran; `bias` may be
  // undefined. With `relu`, what is below zero becomes zero.
  [[nodiscard]] at::Tensor run(Kernels kernels, const at::Tensor& input, const at::Tensor& weight,
                               const at::Tensor& bias, bool relu = false);

 private:
  class Plans;
  ConvolutionShape shape_;
  std::unique_ptr<Plans> plans_;
};

}  // namespace hearth
