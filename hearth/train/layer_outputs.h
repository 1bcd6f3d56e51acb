// What chosen layers give in one batch. Hooks are on them from `listen` to `take` only, so that all
// other batches run as if there were none.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "hearth/tensor/state.h"
#include "hearth/train/run_control.h"

namespace hearth {

class Layer;

// Paths of those layers whose sequences have channels first, [B, C, T], as convolutions give them;
// all others have features last. A layer without weights has them as the one before it. `layers`
// are all of a model, in the order in which they were made.
[[nodiscard]] std::set<std::string> channels_first_paths(const std::vector<Layer*>& layers);

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
