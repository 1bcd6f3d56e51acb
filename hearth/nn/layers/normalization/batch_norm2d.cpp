// Batch normalization of every channel of an image [C, H, W].
#include "hearth/nn/layers/normalization/batch_norm2d.h"

#include "hearth/config/registry.h"
#include "hearth/nn/batch_norm_layer.h"

namespace hearth::layers {

Choice<Layer> batch_norm2d(BatchNorm2dOptions options) {
  return choose<Layer>("batch_norm2d", options);
}

void register_batch_norm2d(Registry<Layer>& layers) {
  layers.add<BatchNormLayer<2>>("batch_norm2d",
                                "Every channel of an image [C, H, W] brought to mean 0 and "
                                "deviation 1 over the batch, then scaled and shifted.");
}

}  // namespace hearth::layers
