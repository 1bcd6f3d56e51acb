// Hooks on every layer of a run's models, in all shards.
#include "hearth/train/layer_hooks.h"

#include "hearth/train/model_layers.h"
#include "hearth/train/trainer.h"

namespace hearth {

LayerHooks::LayerHooks(Trainer& trainer, Hear hear) : hear_(std::move(hear)) {
  const std::vector<const ModelSet*> shards = trainer.experiment().network().shard_models();
  for (size_t shard = 0; shard < shards.size(); ++shard)
    for (Layer* layer : layers_matching(*shards[shard], "*")) {
      layer->add_hook_after([this, shard](const Layer& heard, at::Tensor& value) {
        hear_(shard, heard.path(), value.detach());
      });
      layers_.push_back(layer);
    }
}

LayerHooks::~LayerHooks() {
  for (Layer* layer : layers_) layer->remove_hook_after();
}

size_t LayerHooks::shards(Trainer& trainer) {
  return trainer.experiment().network().shard_models().size();
}

}  // namespace hearth
