// What chosen layers give in one batch.
#include "hearth/train/layer_outputs.h"

#include <algorithm>
#include <utility>

#include "hearth/nn/layer.h"

namespace hearth {

void LayerOutputs::listen(const std::vector<std::string>& patterns, RunControl& run) {
  values_.clear();
  for (const std::string& pattern : patterns) {
    for (Layer* layer : run.layers(pattern)) {
      if (std::ranges::find(layers_, layer) != layers_.end()) continue;
      layer->add_hook_after([this](const Layer& heard, at::Tensor& value) {
        values_.emplace_back(heard.path(), value.detach());
      });
      layers_.push_back(layer);
    }
  }
}

std::vector<NamedTensor> LayerOutputs::take() {
  for (Layer* layer : layers_) layer->remove_hook_after();
  layers_.clear();
  return std::exchange(values_, {});
}

}  // namespace hearth
