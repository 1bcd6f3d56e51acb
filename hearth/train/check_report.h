// What `hearth check` shows: the graph of every mode, what was pruned and why, specs, sizes.
#pragma once

#include <string>
#include <vector>

#include "hearth/core/spec.h"
#include "hearth/experiment/options.h"

namespace hearth {

struct CheckedNode {
  std::string name;
  std::string reads;   // "image, label"
  std::string writes;  // "logits float32 [B, 10]"
  std::string pruned;  // why it does not run; empty when it does
};

struct CheckedMode {
  std::string mode;
  int64_t epoch = 0;  // in which it first looks like this
  int64_t step = 0;   // at which it does
  bool is_epoch_start = true;
  std::vector<CheckedNode> nodes;
  int64_t samples = 0;
  int64_t batches = 0;
};

struct CheckedModel {
  std::string name;
  int64_t parameters = 0;
  std::vector<std::string> lines;  // a layer each
};

struct CheckReport {
  std::vector<CheckedMode> modes;
  std::vector<CheckedModel> models;
  std::vector<std::string> warnings;    // what is likely a slip, with its place
  std::vector<std::string> notes = {};  // what makes training slower than it could be
  std::vector<std::string> data = {};  // how the sets' samples are cached, and what was made to fit
  // With `zero`: what the process that has most would keep of what optimizers remember.
  struct Shared {
    int ranks = 1;
    uint64_t optimizer_bytes = 0;
    double share = 1;  // of all of it, and of the gradients
  };
  int64_t zero = 0;
  std::vector<Shared> shared = {};
  int64_t steps_per_epoch = 0;
  int64_t total_steps = 0;
  uint64_t batch_bytes = 0;        // host memory of the loaders' batches and scratch
  uint64_t model_bytes = 0;        // parameters, gradients and optimizer state
  uint64_t activation_bytes = 0;   // what layers that learn give in a step, kept for the gradients
  int64_t ragged_values = 0;       // keys whose size differs from sample to sample
  uint64_t most_ragged_bytes = 0;  // what a loader's values of them may take at most
  [[nodiscard]] std::string text() const;
  [[nodiscard]] Json to_json() const;
};

// Compiles every plan; reads no data beyond headers, trains nothing. The options are in full form.
// `config` is what they were read from, for the places of faults.
[[nodiscard]] CheckReport check_experiment(const ExperimentOptions& options,
                                           const Node& config = {});

}  // namespace hearth
