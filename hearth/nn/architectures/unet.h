// U-Net: a class, or numbers, for each point of an image.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct UnetOptions {
  int64_t depth = 4;
  int64_t width = 64;
  std::string up = "transposed";
  std::optional<int64_t> classes = std::nullopt;  // from the data when left out
  std::optional<std::string> classes_of = std::nullopt;
  static const Schema<UnetOptions>& schema();
};

[[nodiscard]] Choice<Layer> unet(UnetOptions options = {});

}  // namespace hearth::layers
