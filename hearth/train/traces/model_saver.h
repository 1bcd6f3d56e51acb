// Writes the weights every so often, for others to read.
#pragma once

#include <cstdint>
#include <string>

#include "hearth/config/choice.h"
#include "hearth/config/time.h"

namespace hearth::traces {

struct ModelSaverOptions {
  Time interval = epochs(1);
  int64_t keep = 3;
  std::string out = "model";
  static const Schema<ModelSaverOptions>& schema();
};

[[nodiscard]] Choice<Trace> model_saver(ModelSaverOptions options = {});

}  // namespace hearth::traces
