// What flows back through a relu that a kernel computed along with its output.
#include "hearth/kernels/activation/relu_gradient.h"

#include <ATen/Parallel.h>
#include <ATen/ops/empty_like.h>

#include "hearth/kernels/product/rows_avx2.h"

namespace hearth {
namespace {

constexpr int64_t kReluGradientGrain = 16384;  // values worth a thread

}  // namespace

at::Tensor relu_gradient(const at::Tensor& gradient, const at::Tensor& output) {
  const at::Tensor masked = at::empty_like(gradient);
  at::parallel_for(0, gradient.numel(), kReluGradientGrain, [&](int64_t from, int64_t to) {
    mask_gradient_avx2(gradient.data_ptr<float>() + from, output.data_ptr<float>() + from,
                       masked.data_ptr<float>() + from, to - from);
  });
  return masked;
}

}  // namespace hearth
