// Max-pooling over channels-last images. For processors with AVX2.
#pragma once

#include <cstdint>

namespace hearth {

struct PoolGeometry {
  int64_t channels;
  int64_t height;
  int64_t width;
  int64_t out_height;
  int64_t out_width;
  int64_t kernel;
  int64_t stride;
  int64_t padding;
  bool relu;
};

// Where in its window the largest value was, as row * kernel + column; none when the relu cut it.
constexpr int64_t kMostWindowPlaces = 255;
constexpr uint8_t kNoPlace = 255;

// One image; `places` holds one number for each output value.
void max_pool_image_avx2(const PoolGeometry& geometry, const float* input, float* output,
                         uint8_t* places);
void max_pool_gradient_image_avx2(const PoolGeometry& geometry, const float* gradient,
                                  const uint8_t* places, float* input_gradient);

}  // namespace hearth
