// Batch normalization of every channel of features [F] or a line [C, L].
#include "hearth/nn/layers/normalization/batch_norm1d.h"

#include "hearth/config/registry.h"
#include "hearth/nn/batch_norm_layer.h"

namespace hearth::layers {

Choice<Layer> batch_norm1d(BatchNorm1dOptions options) {
  return choose<Layer>("batch_norm1d", options);
}

void register_batch_norm1d(Registry<Layer>& layers) {
  layers.add<BatchNormLayer<1>>(
      "batch_norm1d",
      "Every feature of [F], or every channel of a line [C, L], brought to mean 0 and deviation 1 "
      "over the batch, then scaled and shifted.");
}

}  // namespace hearth::layers
