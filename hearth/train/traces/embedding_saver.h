// Writes what the network makes of samples, for a projector.
#pragma once

#include <cstdint>
#include <string>

#include "hearth/config/choice.h"
#include "hearth/config/time.h"

namespace hearth::traces {

struct EmbeddingSaverOptions {
  std::string in = "features";
  std::string label = {};
  int64_t count = 2000;
  Time interval = epochs(1);
  std::string out = "embeddings";
  static const Schema<EmbeddingSaverOptions>& schema();
};

[[nodiscard]] Choice<Trace> embedding_saver(EmbeddingSaverOptions options = {});

}  // namespace hearth::traces
