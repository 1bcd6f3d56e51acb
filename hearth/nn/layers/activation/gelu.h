// x times the share of a normal distribution below x, value by value.
#pragma once

#include <string>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct GeluOptions {
  std::string approximate = "none";
  static const Schema<GeluOptions>& schema();
};

[[nodiscard]] Choice<Layer> gelu(GeluOptions options = {});

}  // namespace hearth::layers
