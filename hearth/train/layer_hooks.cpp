// Hooks on every layer of a run's models.
#include "hearth/train/layer_hooks.h"

#include "hearth/train/trainer.h"

namespace hearth {

LayerHooks::LayerHooks(Trainer& trainer, Hear hear)
    : layers_(trainer.layers("*")), hear_(std::move(hear)) {
  for (Layer* layer : layers_)
    layer->add_hook_after(
        [this](const Layer& heard, at::Tensor& value) { hear_(heard.path(), value.detach()); });
}

LayerHooks::~LayerHooks() {
  for (Layer* layer : layers_) layer->remove_hook_after();
}

}  // namespace hearth
