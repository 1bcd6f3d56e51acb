// Statistics of batch norms from a pass over training data: for weights that no step has made, such
// as the mean of others.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "hearth/nn/batch_norm_layer.h"
#include "hearth/train/batch_runner.h"
#include "hearth/train/experiment_graph.h"

namespace hearth {

class StatisticsPass {
 public:
  // With the training data of the epoch. GraphError for a model that is never called.
  StatisticsPass(ExperimentGraph& experiment, const std::string& model, int64_t epoch);

  // So many batches, 0 for all; `goes_on` is asked before each, with its number. False when it said
  // no: then everything is as it was. Nothing happens for a model without batch norms.
  bool run(int64_t batches, const std::function<bool(int64_t number, int64_t all)>& goes_on);

 private:
  // The model's inputs, by the plan's values, for one of its calls.
  using Inputs = std::vector<int>;
  void find_calls();
  void find_feeding_ops();
  void run_batch(const HostBatch& batch);

  ExperimentGraph& experiment_;
  Model& model_;
  int64_t epoch_;
  std::vector<BatchNormOfChannels*> norms_;
  std::vector<std::vector<std::string>> keys_;  // of each call
  CompiledPlan compiled_;
  std::vector<Inputs> calls_;
  std::vector<BoundOp> feeding_;  // what makes the inputs, and nothing else
  BatchRunner runner_;
};

}  // namespace hearth
