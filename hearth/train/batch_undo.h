// What a batch changes before it is known to be any good, kept so that it can be taken back: then
// parameters, optimizers, averages, statistics of batch norms and what ops have in progress are as
// they were before it.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "hearth/train/experiment_graph.h"
#include "hearth/train/step_guard.h"

namespace hearth {

class BatchUndo {
 public:
  explicit BatchUndo(Network& network) : network_(network) {}
  // Before a batch of this plan; `all` are all ops of the epoch, on or off. A plan with one update
  // is refused before that moves anything, so that a copy of buffers is enough; others need one of
  // everything.
  void remember(const CompiledPlan& compiled, const std::vector<BoundOp>& all);
  // Whether a batch may be refused after it has moved something.
  [[nodiscard]] bool has_all() const { return has_all_; }
  // Takes back what the batch did; updates that wait for several batches count it as left out.
  void undo(const CompiledPlan& compiled, const std::vector<BoundOp>& all,
            BatchRefused::Stage stage, StepContext& context);
  // Another state of the whole network takes the place of what is there; updates stay where they
  // are in their windows, with nothing in them. Learning rates keep the factors that were asked
  // for.
  void replace(const State& network, const CompiledPlan& compiled, const std::vector<BoundOp>& all,
               BatchRefused::Stage stage, StepContext& context);

  // Where a training that keeps no run can go back to: its network after so many steps. The last
  // few are kept.
  void keep_point(int64_t step, const std::vector<BoundOp>& all);
  [[nodiscard]] const State* point(int64_t step) const;

 private:
  // Without the windows of updates; returns how far the batch had come as these see it then.
  [[nodiscard]] BatchRefused::Stage take_back(const std::vector<BoundOp>& all,
                                              BatchRefused::Stage stage);
  void remember_buffers();
  void remember_ops(const std::vector<BoundOp>& all);

  Network& network_;
  std::map<int64_t, State> points_;
  bool has_all_ = false;
  State all_;
  State exchange_;  // what gradients left for later steps, of this process
  std::vector<std::pair<at::Tensor, at::Tensor>> buffers_;  // each with its value before the batch
  std::vector<std::pair<size_t, State>> op_states_;         // of ops that keep something, by place
};

}  // namespace hearth
