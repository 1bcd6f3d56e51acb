// The largest value of each window of a line [C, L].
#include "hearth/nn/layers/pooling/max_pool1d.h"

#include "hearth/config/registry.h"
#include "hearth/nn/pool_layer.h"

namespace hearth::layers {

Choice<Layer> max_pool1d(MaxPool1dOptions options) { return choose<Layer>("max_pool1d", options); }

void register_max_pool1d(Registry<Layer>& layers) {
  layers.add<MaxPoolLayer<1>>("max_pool1d", "The largest value of each window of a line [C, L].");
}

}  // namespace hearth::layers
