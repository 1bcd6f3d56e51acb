// Batch normalization of every channel of a volume [C, D, H, W].
#include "hearth/nn/layers/normalization/batch_norm3d.h"

#include "hearth/config/registry.h"
#include "hearth/nn/batch_norm_layer.h"

namespace hearth::layers {

Choice<Layer> batch_norm3d(BatchNorm3dOptions options) {
  return choose<Layer>("batch_norm3d", options);
}

void register_batch_norm3d(Registry<Layer>& layers) {
  layers.add<BatchNormLayer<3>>("batch_norm3d",
                                "Every channel of a volume [C, D, H, W] brought to mean 0 and "
                                "deviation 1 over the batch, then scaled and shifted.");
}

}  // namespace hearth::layers
