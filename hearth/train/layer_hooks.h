// Hooks on every layer of a run's models, in all shards, for as long as it lives.
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
  // Of one shard after the other, or of several at once; each comes from one thread at a time.
  using Hear = std::function<void(size_t shard, const std::string& path, const at::Tensor& value)>;
  LayerHooks(Trainer& trainer, Hear hear);
  ~LayerHooks();
  LayerHooks(const LayerHooks&) = delete;
  LayerHooks& operator=(const LayerHooks&) = delete;

  [[nodiscard]] static size_t shards(Trainer& trainer);

 private:
  std::vector<Layer*> layers_;
  Hear hear_;
};

}  // namespace hearth
