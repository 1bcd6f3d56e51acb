// The mean of each of so many parts of an image [C, H, W].
#include "hearth/nn/layers/pooling/adaptive_average_pool2d.h"

#include "hearth/config/registry.h"
#include "hearth/nn/pool_layer.h"

namespace hearth::layers {

Choice<Layer> adaptive_average_pool2d(AdaptiveAveragePool2dOptions options) {
  return choose<Layer>("adaptive_average_pool2d", options);
}

void register_adaptive_average_pool2d(Registry<Layer>& layers) {
  layers.add<AdaptivePoolLayer<2, AdaptivePool::kAverage>>(
      "adaptive_average_pool2d",
      "The mean of each part of an image [C, H, W], cut into a given number of parts.");
}

}  // namespace hearth::layers
