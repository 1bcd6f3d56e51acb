// What a model is made of, before it trains: shapes, parameters, work, memory, how far each value
// sees.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hearth/experiment/options.h"
#include "hearth/nn/layer.h"

namespace hearth {

class ExperimentGraph;

struct SummaryRow {
  std::string path;     // "layer1.0.conv1"; empty for the model itself
  std::string name;     // "conv1"
  std::string kind;     // "conv2d"
  std::string output;   // "float32 [B, 64, 56, 56]"
  int depth = 0;        // 0: the model itself
  int64_t learned = 0;  // parameters, with those below it
  int64_t frozen = 0;
  double multiply_adds = 0;       // of one sample's forward pass, with those below it
  uint64_t activation_bytes = 0;  // what it gives, of a batch, with those below it
  // Side of the square of the input that a value depends on; nothing where all of it counts, or
  // where the input is no image.
  std::optional<int64_t> field = {};
};

// One of the values that a model gives.
struct SummaryOutput {
  std::string name;    // as its description calls it
  std::string output;  // "float32 [B, 10]"
  std::string label;   // the target whose classes it scores; empty where it says none
};

// What optimizers remember of a model's parameters that learn.
struct OptimizerMemorySize {
  std::string name = {};  // "adamw"; empty where nothing moves them
  uint64_t bytes = 0;
};

struct ModelSummary {
  std::string name;
  int64_t batch_size = 1;
  std::vector<SummaryRow> rows;  // depth first, the model first
  std::vector<SummaryOutput> outputs = {};
  int64_t shared = 0;  // parameters that are used in more than one place
  // Whether work and activations depend on lengths that differ from sample to sample, so that they
  // are not counted where they do.
  bool is_ragged = false;
  uint64_t parameter_bytes = 0;
  uint64_t activation_bytes = 0;  // of a training step at the batch size, kept for the gradients
  OptimizerMemorySize optimizer = {};
  // Parameters, gradients, what the optimizer keeps (when one is known), and activations.
  uint64_t training_bytes = 0;

  // As a tree, down to a depth; all of it when that is negative.
  [[nodiscard]] std::string text(int64_t most_depth) const;
  [[nodiscard]] Json to_json(int64_t most_depth) const;
};

// What a layer that is built, or those below it, give for a batch, which is kept for the gradients;
// the most that 64 bits can count where it is more.
[[nodiscard]] uint64_t activation_bytes_of(const Layer& layer, int64_t batch_size);

// Of a layer that is built.
[[nodiscard]] ModelSummary summary_of(const std::string& name, Layer& layer, int64_t batch_size,
                                      const OptimizerMemorySize& optimizer = {});

struct SummarySettings {
  // Where to draw it; empty: nowhere. With several models, those after the first in files beside
  // it, "drawing-<model>.svg".
  std::string svg = {};
  std::string dot = {};
  int64_t draw_depth = 2;
};

// Every model of an experiment, built as training would; no data is read beyond headers.
[[nodiscard]] std::vector<ModelSummary> summarize(const ExperimentOptions& options,
                                                  const Node& config,
                                                  const SummarySettings& settings = {});
// For the run's folder: {"models": the summaries, "layers": who reads whom, as ModelDrawing has
// it}.
[[nodiscard]] Json model_record(ExperimentGraph& experiment);
// An architecture or layer by itself, for an input of this shape; as if adam trained it.
[[nodiscard]] ModelSummary summarize(const Choice<Layer>& layer, const Spec& input, int64_t classes,
                                     int64_t batch_size, const SummarySettings& settings = {});

}  // namespace hearth
