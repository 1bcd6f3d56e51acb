// Lets models keep their weights packed through a training step.
#pragma once

#include <vector>

#include "hearth/network/model.h"

namespace hearth {

// Whether the model's weights are packed in a training step, unless somebody looks at them.
[[nodiscard]] bool packs(Model& model);

// While it lives, a step runs in which models that learn have packed weights, as pack_weights says.
// Not models with hooks: who listens may look at the weights too.
class PackedStep {
 public:
  // When it may not pack, all weights become ordinary.
  PackedStep(const ModelSet& models, bool may_pack);
  ~PackedStep();
  PackedStep(const PackedStep&) = delete;
  PackedStep& operator=(const PackedStep&) = delete;

 private:
  std::vector<Layer*> layers_;
};

}  // namespace hearth
