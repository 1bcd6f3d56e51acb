// hearth predict --text, for models that score the next token: texts go on.
#pragma once

#include <optional>

#include "cli/arguments.h"
#include "hearth/train/predictor.h"

namespace hearth::cli {

// Continues the texts that are no value for a key, "text=How are you?", and shows each with what
// the model makes of it, one text as it is written. The exit code; nothing when there is no such
// text. ConfigError when they stand beside other things to predict, or the model cannot continue a
// text.
[[nodiscard]] std::optional<int> continue_texts(const PredictArguments& arguments,
                                                const Predictor& predictor);

}  // namespace hearth::cli
