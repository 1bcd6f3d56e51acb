// What chosen layers give in one batch.
#include "hearth/train/layer_outputs.h"

#include <algorithm>
#include <utility>

#include "hearth/nn/layer.h"

namespace hearth {
namespace {

// What the layer makes of the order that came.
bool gives_channels_first(const Layer& layer, bool is_first) {
  const std::string& kind = layer.choice().name();
  if (kind == "permute" && layer.output_spec().shape.size() == 2) return !is_first;
  if (kind.ends_with("1d")) return true;
  for (const OwnTensor& weight : layer.tree().own_parameters())
    if (weight.sizes.size() == 2 || weight.sizes.size() == 3) return weight.sizes.size() == 3;
  return is_first;
}

}  // namespace

std::set<std::string> channels_first_paths(const std::vector<Layer*>& layers) {
  std::set<std::string> paths;
  bool is_first = false;
  for (const Layer* layer : layers) {
    if (!layer->children().empty()) continue;
    is_first = gives_channels_first(*layer, is_first);
    // Those around it give what the last one inside gives.
    for (std::string path = layer->path(); !path.empty();) {
      if (is_first)
        paths.insert(path);
      else
        paths.erase(path);
      const size_t dot = path.rfind('.');
      path.resize(dot == path.npos ? 0 : dot);
    }
  }
  return paths;
}

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
