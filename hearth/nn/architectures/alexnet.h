// A network of five convolutions and three linear layers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct AlexnetOptions {
  double dropout = 0.5;
  double width_mult = 1;
  std::optional<int64_t> classes = std::nullopt;  // from the data when left out
  std::optional<std::string> classes_of = std::nullopt;
  static const Schema<AlexnetOptions>& schema();
};

[[nodiscard]] Choice<Layer> alexnet(AlexnetOptions options = {});

}  // namespace hearth::layers
