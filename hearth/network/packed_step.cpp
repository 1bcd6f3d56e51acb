// Lets models keep their weights packed through a training step.
#include "hearth/network/packed_step.h"

namespace hearth {

bool packs(Model& model) {
  return model.is_built() && model.is_trainable() && model.optimizer() != nullptr &&
         !model.optimizers().need_shapes();
}

PackedStep::PackedStep(const ModelSet& models, bool may_pack) {
  for (const auto& model : models.all()) {
    if (!packs(*model)) continue;
    Layer& layer = model->layer();
    if (may_pack && !layer.is_hooked()) {
      pack_weights(layer);
      layers_.push_back(&layer);
    } else {
      unpack_weights(layer);
    }
  }
  for (Layer* layer : layers_) set_in_step(*layer, true);
}

PackedStep::~PackedStep() {
  for (Layer* layer : layers_) set_in_step(*layer, false);
}

}  // namespace hearth
