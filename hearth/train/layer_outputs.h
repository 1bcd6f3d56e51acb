// What chosen layers give in one batch. Hooks are on them from `listen` to `take` only, so that all
// other batches run as if there were none.
#pragma once

#include <string>
#include <vector>

#include "hearth/tensor/state.h"
#include "hearth/train/run_control.h"

namespace hearth {

class Layer;

class LayerOutputs {
 public:
  // Before the network runs the batch.
  void listen(const std::vector<std::string>& patterns, RunControl& run);
  // Their outputs by path, in the order in which they were computed; without a graph behind them.
  [[nodiscard]] std::vector<NamedTensor> take();

 private:
  std::vector<Layer*> layers_;  // that have a hook now
  std::vector<NamedTensor> values_;
};

}  // namespace hearth
