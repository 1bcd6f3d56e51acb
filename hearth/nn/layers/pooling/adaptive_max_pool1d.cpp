// The largest value of each of so many parts of a line [C, L].
#include "hearth/nn/layers/pooling/adaptive_max_pool1d.h"

#include "hearth/config/registry.h"
#include "hearth/nn/pool_layer.h"

namespace hearth::layers {

Choice<Layer> adaptive_max_pool1d(AdaptiveMaxPool1dOptions options) {
  return choose<Layer>("adaptive_max_pool1d", options);
}

void register_adaptive_max_pool1d(Registry<Layer>& layers) {
  layers.add<AdaptivePoolLayer<1, AdaptivePool::kMax>>(
      "adaptive_max_pool1d",
      "The largest value of each part of a line [C, L], cut into a given number of parts.");
}

}  // namespace hearth::layers
