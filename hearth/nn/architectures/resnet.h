// Residual networks: the small ones for 32x32 images and the large ones for 224x224.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct ResnetOptions {
  int64_t depth = 18;
  std::optional<int64_t> classes = std::nullopt;  // from the data when left out
  std::optional<std::string> classes_of = std::nullopt;
  std::optional<int64_t> width = std::nullopt;  // 16 for the small ones, 64 for the large ones
  static const Schema<ResnetOptions>& schema();
};

[[nodiscard]] Choice<Layer> resnet(ResnetOptions options = {});

}  // namespace hearth::layers
