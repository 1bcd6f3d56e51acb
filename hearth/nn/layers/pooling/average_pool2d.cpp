// The mean of each window of an image [C, H, W].
#include "hearth/nn/layers/pooling/average_pool2d.h"

#include "hearth/config/registry.h"
#include "hearth/nn/pool_layer.h"

namespace hearth::layers {

Choice<Layer> average_pool2d(AveragePool2dOptions options) {
  return choose<Layer>("average_pool2d", options);
}

void register_average_pool2d(Registry<Layer>& layers) {
  layers.add<AveragePoolLayer<2>>("average_pool2d",
                                  "The mean of each window of an image [C, H, W].");
}

}  // namespace hearth::layers
