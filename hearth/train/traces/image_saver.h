// Draws samples beside what they are and what the network makes of them.
#pragma once

#include <cstdint>
#include <string>

#include "hearth/config/choice.h"
#include "hearth/config/time.h"

namespace hearth::traces {

struct ImageSaverOptions {
  std::string image = "image";
  std::string target = "label";
  std::string prediction = "logits";
  int64_t count = 16;
  Time interval = epochs(1);
  std::string out = "samples";
  static const Schema<ImageSaverOptions>& schema();
};

[[nodiscard]] Choice<Trace> image_saver(ImageSaverOptions options = {});

}  // namespace hearth::traces
