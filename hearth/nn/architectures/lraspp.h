// MobileNetV3's light head for segmentation: scores for every point of an image.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "hearth/config/choice.h"
#include "hearth/nn/architectures/mobilenet_v3.h"

namespace hearth::layers {

struct LrasppOptions {
  Choice<Layer> backbone = mobilenet_v3();
  std::optional<int64_t> classes = std::nullopt;  // from the data when left out
  std::optional<std::string> classes_of = std::nullopt;
  int64_t width = 128;
  static const Schema<LrasppOptions>& schema();
};

[[nodiscard]] Choice<Layer> lraspp(LrasppOptions options = {});

}  // namespace hearth::layers
