// One network op of a plan, with everything looked up: a step does no name look-up.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "hearth/network/network_op.h"

namespace hearth {

class CallProfile;

// How what the replicas wrote becomes the batch's value.
enum class Joining : uint8_t {
  kNone,  // nobody outside the network reads it
  kRows,  // one row a sample: one part under the other
  kMean,  // one value for the batch: the mean, weighted by the parts' samples
};

struct NetworkCall {
  std::shared_ptr<NetworkOp> op;
  std::string label;
  std::vector<int> inputs;
  std::vector<int> outputs;
  bool is_last_update = true;
  // With replicas, while training: the op in the other replicas, and what becomes of the outputs.
  std::vector<std::shared_ptr<NetworkOp>> twins = {};
  std::vector<Joining> joinings = {};

  [[nodiscard]] bool is_update() const { return op->batches_per_step() > 0; }
};

// Runs the call by `op`, the call's own or a twin of it; `values` is indexed by slot. LibTorch's
// exceptions become GraphError with the op and the shapes.
void run_call(const NetworkCall& call, NetworkOp& op, StepContext& context,
              std::vector<at::Tensor>& values, CallProfile* profile);

}  // namespace hearth
