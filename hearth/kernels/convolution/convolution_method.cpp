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
// Shapes a layer may meet: training, a last smaller batch, evaluation, prediction.
constexpr size_t kKeptMethods = 6;

bool is_for_winograd(const ConvolutionGeometry& g) {
  return std::min(g.in, g.out) >= kLeastWinogradChannels &&
         std::min(g.out_height(), g.out_width()) >= kLeastWinogradSide;
}

}  // namespace

void sum_places(const float* values, int64_t places, int64_t channels, int64_t threads,
                float* sums) {
  const int64_t parts = std::min(threads, places);
  std::vector<float> of_parts(static_cast<size_t>(parts * channels));
  for_parts(places, parts, [&](int64_t part, int64_t first, int64_t rows) {
    sum_rows_avx2(values + first * channels, rows, channels, channels,
                  of_parts.data() + part * channels);
  });
  sum_rows_avx2(of_parts.data(), parts, channels, channels, sums);
}

ConvolutionMethodPointer MethodCache::find(const ConvolutionGeometry& geometry) {
  const std::lock_guard lock(mutex_);
  for (const auto& [known, method] : methods_)
    if (known == geometry) return method;
  if (methods_.size() == kKeptMethods) methods_.erase(methods_.begin());
  methods_.emplace_back(geometry, make_(geometry));
  return methods_.back().second;
}

ConvolutionMethodPointer make_method(const ConvolutionGeometry& geometry) {
  if (const ConvolutionMethodPointer method = depthwise_method(geometry)) return method;
  if (is_for_winograd(geometry)) {
    if (const ConvolutionMethodPointer method = winograd_method(geometry)) return method;
  }
  if (const ConvolutionMethodPointer method = onednn_method(geometry)) return method;
  return matrix_method(geometry);
}

std::optional<WeightOrder> order_of_method(const ConvolutionGeometry& geometry) {
  if (is_depthwise(geometry)) return std::nullopt;
  if (is_for_winograd(geometry)) {
    if (const auto order = winograd_order(geometry)) return order;
  }
  if (const auto found = onednn_order(geometry)) return found->order;
  return matrix_order(geometry);
}

}  // namespace hearth
