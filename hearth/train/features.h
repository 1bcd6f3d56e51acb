// What a trained model makes of data, packed to be trained on. Needs no LibTorch header.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/config/mode.h"
#include "hearth/data/source.h"
#include "hearth/pipeline/packing.h"

namespace hearth {

struct FeatureOptions {
  std::filesystem::path folder;     // of a run, or a model folder that `hearth export` wrote
  std::string checkpoint = "best";  // of a run: best, last or another name
  bool accepts_changes = false;     // as EstimatorSettings has it
  std::vector<std::string> keys;    // of the network's values, and of labels
  std::optional<Choice<Source>> source = {};  // left out: the run's own data
  Mode mode = Mode::kTrain;                   // which of its sets
};

// Samples come in their order, after the ops that the run has for prediction. ConfigError for keys
// that nobody makes; otherwise as `pack`.
PackReport pack_features(const FeatureOptions& options, const PackOptions& how);

}  // namespace hearth
