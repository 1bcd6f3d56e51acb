// The largest value of each of so many parts of an image [C, H, W].
#include "hearth/nn/layers/pooling/adaptive_max_pool2d.h"

#include "hearth/config/registry.h"
#include "hearth/nn/pool_layer.h"

namespace hearth::layers {

Choice<Layer> adaptive_max_pool2d(AdaptiveMaxPool2dOptions options) {
  return choose<Layer>("adaptive_max_pool2d", options);
}

void register_adaptive_max_pool2d(Registry<Layer>& layers) {
  layers.add<AdaptivePoolLayer<2, AdaptivePool::kMax>>(
      "adaptive_max_pool2d",
      "The largest value of each part of an image [C, H, W], cut into a given number of parts.");
}

}  // namespace hearth::layers
