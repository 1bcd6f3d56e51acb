// Hooks on every layer of a run's models, for as long as it lives.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

namespace hearth {

class Layer;
class Trainer;

class LayerHooks {
 public:
  using Hear = std::function<void(const std::string& path, const at::Tensor& value)>;
  LayerHooks(Trainer& trainer, Hear hear);
  ~LayerHooks();
  LayerHooks(const LayerHooks&) = delete;
  LayerHooks& operator=(const LayerHooks&) = delete;

 private:
  std::vector<Layer*> layers_;
  Hear hear_;
};

}  // namespace hearth
