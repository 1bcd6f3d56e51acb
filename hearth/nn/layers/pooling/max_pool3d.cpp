// The largest value of each window of a volume [C, D, H, W].
#include "hearth/nn/layers/pooling/max_pool3d.h"

#include "hearth/config/registry.h"
#include "hearth/nn/pool_layer.h"

namespace hearth::layers {

Choice<Layer> max_pool3d(MaxPool3dOptions options) { return choose<Layer>("max_pool3d", options); }

void register_max_pool3d(Registry<Layer>& layers) {
  layers.add<MaxPoolLayer<3>>("max_pool3d",
                              "The largest value of each window of a volume [C, D, H, W].");
}

}  // namespace hearth::layers
