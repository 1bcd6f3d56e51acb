// Lets models keep their weights packed through a training step.
#pragma once

#include <vector>

#include "hearth/network/model.h"

namespace hearth {

// While it lives, a step runs in which models that learn have packed weights, as Layer::pack says.
// Not models with hooks: who listens may look at the weights too.
class PackedStep {
 public:
  // So many replicas hold the parameters besides layers and optimizers. When it may not pack, all
  // weights become ordinary.
  PackedStep(const ModelSet& models, size_t replicas, bool may_pack);
  ~PackedStep();
  PackedStep(const PackedStep&) = delete;
  PackedStep& operator=(const PackedStep&) = delete;

 private:
  std::vector<Layer*> layers_;
};

}  // namespace hearth
