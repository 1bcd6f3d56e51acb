// The largest value of each of so many parts of a volume [C, D, H, W].
#include "hearth/nn/layers/pooling/adaptive_max_pool3d.h"

#include "hearth/config/registry.h"
#include "hearth/nn/pool_layer.h"

namespace hearth::layers {

Choice<Layer> adaptive_max_pool3d(AdaptiveMaxPool3dOptions options) {
  return choose<Layer>("adaptive_max_pool3d", options);
}

void register_adaptive_max_pool3d(Registry<Layer>& layers) {
  layers.add<AdaptivePoolLayer<3, AdaptivePool::kMax>>(
      "adaptive_max_pool3d",
      "The largest value of each part of a volume [C, D, H, W], cut into a given number of parts.");
}

}  // namespace hearth::layers
