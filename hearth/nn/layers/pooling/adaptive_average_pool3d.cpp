// The mean of each of so many parts of a volume [C, D, H, W].
#include "hearth/nn/layers/pooling/adaptive_average_pool3d.h"

#include "hearth/config/registry.h"
#include "hearth/nn/pool_layer.h"

namespace hearth::layers {

Choice<Layer> adaptive_average_pool3d(AdaptiveAveragePool3dOptions options) {
  return choose<Layer>("adaptive_average_pool3d", options);
}

void register_adaptive_average_pool3d(Registry<Layer>& layers) {
  layers.add<AdaptivePoolLayer<3, AdaptivePool::kAverage>>(
      "adaptive_average_pool3d",
      "The mean of each part of a volume [C, D, H, W], cut into a given number of parts.");
}

}  // namespace hearth::layers
