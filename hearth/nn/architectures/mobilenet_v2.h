// A small network of inverted residual blocks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct MobilenetV2Options {
  double width_mult = 1;
  int64_t round_nearest = 8;
  double dropout = 0.2;
  std::optional<int64_t> classes = std::nullopt;  // from the data when left out
  std::optional<std::string> classes_of = std::nullopt;
  static const Schema<MobilenetV2Options>& schema();
};

[[nodiscard]] Choice<Layer> mobilenet_v2(MobilenetV2Options options = {});

}  // namespace hearth::layers
