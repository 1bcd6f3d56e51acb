// Who looks over the trainer's shoulder at every training batch: commands that show single steps.
#pragma once

#include "hearth/network/step_watch.h"
#include "hearth/train/batch_runner.h"

namespace hearth {

struct Scene;

class StepObserver {
 public:
  virtual ~StepObserver() = default;
  // Before the network runs a batch: who is to be told of its losses and gradients. `others` may be
  // null; who is returned instead tells them too.
  [[nodiscard]] virtual StepWatch* watch(StepWatch* others) { return others; }
  // After it, while its values are there; the optimizer has moved what it moves.
  virtual void see(const CompiledPlan& compiled, const HostBatch& batch, const BatchRunner& runner,
                   const Scene& scene) = 0;
};

}  // namespace hearth
