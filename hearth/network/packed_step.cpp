// Lets models keep their weights packed through a training step.
#include "hearth/network/packed_step.h"

namespace hearth {

PackedStep::PackedStep(const ModelSet& models, size_t replicas, bool may_pack) {
  constexpr size_t kOptimizer = 1;
  for (const auto& model : models.all()) {
    if (!model->is_built() || !model->is_trainable() || model->optimizer() == nullptr) continue;
    Layer& layer = model->layer();
    if (may_pack && !layer.is_hooked()) {
      layer.pack(kOptimizer + replicas);
      layers_.push_back(&layer);
    } else {
      layer.unpack();
    }
  }
  for (Layer* layer : layers_) layer->set_in_step(true);
}

PackedStep::~PackedStep() {
  for (Layer* layer : layers_) layer->set_in_step(false);
}

}  // namespace hearth
