// A prediction for people, and for programs.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "hearth/train/prediction.h"

namespace hearth::cli {

// With one wanted key its fields stand beside the input's name; with several, by key in `outputs`.
[[nodiscard]] Json prediction_json(const Prediction& prediction);
// On standard output, with notes on standard error.
void print_prediction(const Prediction& prediction);

}  // namespace hearth::cli
