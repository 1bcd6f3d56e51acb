// One network op of a plan, with everything looked up: a step does no name look-up.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "hearth/config/node.h"
#include "hearth/network/network_op.h"

namespace hearth {

class TimeProfile;

// How what the replicas wrote becomes the batch's value.
enum class Joining : uint8_t {
  kNone,  // nobody outside the network reads it, and no update does
  kRows,  // one row per sample: one part under the other
  kMean,  // one value for the batch: the mean, weighted by the parts' samples
  kFirst  // made once for all of them
};

struct BoundOp {
  std::shared_ptr<NetworkOp> op;
  std::string label;
  std::vector<int> inputs;
  std::vector<int> outputs;
  bool is_last_update = true;
  Mark mark = {};
  std::vector<Spec> input_specs = {};  // as the plan has them
  bool makes_one_value = false;        // of the whole batch: it sees no rows that fill up
  // With replicas, while training: the op in the other replicas, and what becomes of the outputs.
  std::vector<std::shared_ptr<NetworkOp>> twins = {};
  std::vector<Joining> joinings = {};
  std::vector<int> losses = {};      // inputs that it finds gradients of
  std::vector<size_t> sources = {};  // for an op that reruns: earlier ops its inputs come from
  bool is_source = false;            // of a later op that reruns

  [[nodiscard]] bool is_update() const { return op->batches_per_step() > 0; }
};

// Runs the op itself or, as `op`, a twin of it; `values` are those of the plan. LibTorch's
// exceptions become GraphError with the op and the shapes.
void run_bound_op(const BoundOp& bound, NetworkOp& op, StepContext& context,
                  std::vector<at::Tensor>& values, TimeProfile* profile);

}  // namespace hearth
