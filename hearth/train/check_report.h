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
  std::vector<std::string> warnings;  // nodes that run in no mode
  int64_t steps_per_epoch = 0;
  int64_t total_steps = 0;
  uint64_t batch_bytes = 0;  // host memory of the loader's batches
  uint64_t model_bytes = 0;  // parameters, gradients and optimizer state
  [[nodiscard]] std::string text() const;
  [[nodiscard]] Json to_json() const;
};

// Compiles every plan; reads no data beyond headers, trains nothing. The options are in full form.
[[nodiscard]] CheckReport check_experiment(const ExperimentOptions& options);

}  // namespace hearth
