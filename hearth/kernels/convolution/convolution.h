// A two-dimensional convolution.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>

#include "hearth/base/sides.h"
#include "hearth/kernels/kernels.h"
#include "hearth/kernels/weight/weight_order.h"

namespace hearth {

struct ConvolutionGeometry;
class KeptWeight;
class MethodCache;

// Of height and width.
struct ConvolutionShape {
  Sides<2> stride = 1;
  Sides<2> padding = 0;
  Sides<2> dilation = 1;
  int64_t groups = 1;
  [[nodiscard]] bool operator==(const ConvolutionShape&) const = default;
};

// One convolution of a model: keeps what can be kept between steps. A change of `weight` or `bias`
// is noticed.
class Convolution {
 public:
  explicit Convolution(ConvolutionShape shape);
  ~Convolution();
  Convolution(const Convolution&) = delete;
  Convolution& operator=(const Convolution&) = delete;

  // [B, C, H, W] to [B, O, H', W'], in channels-last order when the fast kernel ran; `bias` may be
  // undefined. With `relu`, what is below zero becomes zero. A weight in the wanted order is used
  // where it lies, and its gradient comes in the same order.
  [[nodiscard]] at::Tensor run(Kernels kernels, const at::Tensor& input, const at::Tensor& weight,
                               const at::Tensor& bias, bool relu = false);
  // In which order the fast kernel wants this weight for images [C, H, W]; null for the ordinary
  // one. It depends on the machine and the sizes, not on batches, threads or what ran before: so
  // do the bits of sums over gradients.
  [[nodiscard]] const WeightOrder* wanted_order(Kernels kernels, const at::Tensor& weight,
                                                at::IntArrayRef image);

 private:
  [[nodiscard]] ConvolutionGeometry geometry_of(at::IntArrayRef input,
                                                const at::Tensor& weight) const;
  // By float32 products of factors as they are.
  [[nodiscard]] at::Tensor run_exact(Kernels kernels, const at::Tensor& input,
                                     const at::Tensor& weight, const at::Tensor& bias, bool relu);
  // By float32 products of rounded factors, where there is no other kernel for them.
  [[nodiscard]] at::Tensor run_rounded(Kernels kernels, const at::Tensor& input,
                                       const at::Tensor& weight, const at::Tensor& bias, bool relu);
  [[nodiscard]] bool goes_fast_through(Kernels kernels, const at::Tensor& input,
                                       const at::Tensor& weight, const at::Tensor& bias) const;

  ConvolutionShape shape_;
  std::unique_ptr<MethodCache> methods_;
  std::unique_ptr<KeptWeight> rounded_weight_;
  // By the image's size, once it was asked for.
  std::map<std::array<int64_t, 2>, std::optional<WeightOrder>> wanted_;
};

}  // namespace hearth
