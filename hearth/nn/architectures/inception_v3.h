// Inception's third network, for images of 299 points a side.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct InceptionV3Options {
  bool aux_logits = false;
  bool transform_input = false;
  double dropout = 0.5;
  double width_mult = 1;
  std::optional<int64_t> classes = std::nullopt;  // from the data when left out
  std::optional<std::string> classes_of = std::nullopt;
  static const Schema<InceptionV3Options>& schema();
};

[[nodiscard]] Choice<Layer> inception_v3(InceptionV3Options options = {});

}  // namespace hearth::layers
