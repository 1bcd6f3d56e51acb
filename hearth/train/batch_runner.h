// Takes one batch through a plan: host memory to tensors, network ops, metrics.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "hearth/data/host_batch.h"
#include "hearth/train/experiment_graph.h"

namespace hearth {

class BatchRunner {
 public:
  explicit BatchRunner(Network& network) : network_(network) {}

  // Makes tensors of the batch; `values` and `scalars` speak of it until the next one.
  void load(const CompiledPlan& compiled, const HostBatch& batch);
  // Runs the plan's network steps on it.
  void compute(const CompiledPlan& compiled, StepContext& context);
  void run(const CompiledPlan& compiled, const HostBatch& batch, StepContext& context) {
    load(compiled, batch);
    compute(compiled, context);
  }
  // The same for one of several threads that predict at once; see Network::infer.
  void infer(const CompiledPlan& compiled, const HostBatch& batch, StepContext& context);
  void update_metrics(const CompiledPlan& compiled, const Moment& moment) const {
    update_metrics(compiled, measured_values(compiled), moment);
  }
  // What metrics read of the batch, a row for each sample, by the plan's values; others are
  // undefined. And metrics of a batch that somebody computed.
  [[nodiscard]] std::vector<at::Tensor> measured_values(const CompiledPlan& compiled) const;
  static void update_metrics(const CompiledPlan& compiled, const std::vector<at::Tensor>& values,
                             const Moment& moment);
  // Recorded values that are one number for the whole batch: {"loss", 0.31}.
  [[nodiscard]] std::vector<std::pair<std::string, double>> scalars(
      const CompiledPlan& compiled) const;
  [[nodiscard]] const at::Tensor& value(int index) const {
    return values_[static_cast<size_t>(index)];
  }
  [[nodiscard]] const std::vector<at::Tensor>& values() const { return values_; }
  // Drops every tensor, so that the batch's memory returns to its pool.
  void clear() { values_.clear(); }

 private:
  void take(const CompiledPlan& compiled, const HostBatch& batch);
  Network& network_;
  std::vector<at::Tensor> values_;
  int64_t real_rows_ = -1;  // of the batch, when others fill it up
};

}  // namespace hearth
