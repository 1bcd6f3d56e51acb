// The mean of each window of a volume [C, D, H, W].
#include "hearth/nn/layers/pooling/average_pool3d.h"

#include "hearth/config/registry.h"
#include "hearth/nn/pool_layer.h"

namespace hearth::layers {

Choice<Layer> average_pool3d(AveragePool3dOptions options) {
  return choose<Layer>("average_pool3d", options);
}

void register_average_pool3d(Registry<Layer>& layers) {
  layers.add<AveragePoolLayer<3>>("average_pool3d",
                                  "The mean of each window of a volume [C, D, H, W].");
}

}  // namespace hearth::layers
