// The five blocks of inception_v3.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct InceptionV3BlockOptions {
  std::string form = "a";
  std::optional<int64_t> channels = std::nullopt;  // of forms a and c
  double width_mult = 1;
  static const Schema<InceptionV3BlockOptions>& schema();
};

[[nodiscard]] Choice<Layer> inception_v3_block(InceptionV3BlockOptions options);

}  // namespace hearth::layers
