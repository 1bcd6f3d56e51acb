// What was given on the command line to predict, as raw samples.
#pragma once

#include <string>
#include <vector>

#include "cli/arguments.h"
#include "hearth/train/predictor.h"

namespace hearth::cli {

struct GivenSamples {
  std::vector<RawSample> samples;
  std::vector<Prediction> failed;  // files that cannot be read: a name and an error each
};

// Files without a key go to the one that no flag fills. ConfigError for keys that the model does
// not have, that are missing, or that have different numbers of samples.
[[nodiscard]] GivenSamples given_samples(const PredictArguments& arguments,
                                         const Predictor& predictor);

}  // namespace hearth::cli
