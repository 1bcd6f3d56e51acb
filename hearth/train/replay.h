// One step of a run again: its batch, the loss of each sample, and norms of layers.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "hearth/core/spec.h"
#include "hearth/format/image.h"
#include "hearth/train/estimator.h"

namespace hearth {

struct ReplayedSample {
  int64_t sample = 0;                    // of the training set
  std::string name;                      // as the source calls it
  std::map<std::string, double> losses;  // by key; without those that one sample alone has not
};

// Of the tensors of one layer.
struct ReplayedLayer {
  std::string path;                // "net.features.0"
  std::optional<double> output;    // norm of what it gave
  std::optional<double> weights;   // of its parameters before the step
  std::optional<double> gradient;  // before clipping
  std::optional<double> change;    // of its parameters by the step
  bool is_finite = true;           // all of these
};

struct StepReplay {
  int64_t step = 0;
  int64_t epoch = 0;                         // from 0
  int64_t taken_up = 0;                      // the step it was played from
  std::map<std::string, double> values;      // one number for the batch: "loss"
  std::vector<std::string> log_differences;  // where the run's log has other numbers for the step
  bool is_logged = false;
  std::vector<ReplayedSample> samples;
  std::vector<ReplayedLayer> layers;
  std::string error;  // that ended the step, or nothing
  Image pictures;     // of the batch, in rows of 8; empty without pictures

  [[nodiscard]] Json to_json() const;
  [[nodiscard]] std::string text() const;
};

// `step` counts from 1. DataError when the run has no such step.
[[nodiscard]] StepReplay replay_step(const std::filesystem::path& run, int64_t step,
                                     EstimatorSettings settings = {});

}  // namespace hearth
