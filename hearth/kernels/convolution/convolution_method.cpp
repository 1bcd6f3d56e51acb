// How one convolution is computed: what methods share, and which one a geometry gets.
#include "hearth/kernels/convolution/convolution_method.h"

#include <algorithm>

#include "hearth/kernels/parts.h"
#include "hearth/kernels/product/rows_avx2.h"

namespace hearth {
namespace {

// Below these sizes the transforms cost more than they save.
constexpr int64_t kLeastWinogradChannels = 32;
constexpr int64_t kLeastWinogradSide = 4;

bool is_for_winograd(const ConvolutionGeometry& g) {
  return std::min(g.in, g.out) >= kLeastWinogradChannels &&
         std::min(g.out_height(), g.out_width()) >= kLeastWinogradSide;
}

}  // namespace

// Sums of parts of the rows, added in their order.
void ConvolutionMethod::sum_bias_gradient(const float* gradient, float* bias_gradient) const {
  const int64_t channels = geometry_.out;
  const int64_t parts = std::min<int64_t>(geometry_.threads, geometry_.rows());
  std::vector<float> sums(static_cast<size_t>(parts * channels));
  for_parts(geometry_.rows(), parts, [&](int64_t part, int64_t first, int64_t rows) {
    sum_rows_avx2(gradient + first * channels, rows, channels, channels,
                  sums.data() + part * channels);
  });
  sum_rows_avx2(sums.data(), parts, channels, channels, bias_gradient);
}

ConvolutionMethodPointer make_method(const ConvolutionGeometry& geometry) {
  if (is_for_winograd(geometry)) {
    if (const ConvolutionMethodPointer method = winograd_method(geometry)) return method;
  }
  if (const ConvolutionMethodPointer method = onednn_method(geometry)) return method;
  return matrix_method(geometry);
}

std::optional<WeightOrder> order_of_method(const ConvolutionGeometry& geometry) {
  if (is_for_winograd(geometry)) {
    if (const auto order = winograd_order(geometry)) return order;
  }
  if (const auto found = onednn_order(geometry)) return found->order;
  return matrix_order(geometry);
}

}  // namespace hearth
