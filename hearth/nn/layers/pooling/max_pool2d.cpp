// The largest value of each window of an image [C, H, W].
#include "hearth/nn/layers/pooling/max_pool2d.h"

#include "hearth/config/registry.h"
#include "hearth/nn/pool_layer.h"

namespace hearth::layers {

Choice<Layer> max_pool2d(MaxPool2dOptions options) { return choose<Layer>("max_pool2d", options); }

void register_max_pool2d(Registry<Layer>& layers) {
  layers.add<MaxPoolLayer<2>>("max_pool2d",
                              "The largest value of each window of an image [C, H, W].");
}

}  // namespace hearth::layers
