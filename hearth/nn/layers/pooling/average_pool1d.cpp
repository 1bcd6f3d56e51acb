// The mean of each window of a line [C, L].
#include "hearth/nn/layers/pooling/average_pool1d.h"

#include "hearth/config/registry.h"
#include "hearth/nn/pool_layer.h"

namespace hearth::layers {

Choice<Layer> average_pool1d(AveragePool1dOptions options) {
  return choose<Layer>("average_pool1d", options);
}

void register_average_pool1d(Registry<Layer>& layers) {
  layers.add<AveragePoolLayer<1>>("average_pool1d", "The mean of each window of a line [C, L].");
}

}  // namespace hearth::layers
