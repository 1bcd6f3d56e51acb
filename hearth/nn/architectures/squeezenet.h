// A network of few parameters, made of fire blocks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct SqueezenetOptions {
  std::string version = "1.0";
  double dropout = 0.5;
  double width_mult = 1;
  std::optional<int64_t> classes = std::nullopt;  // from the data when left out
  std::optional<std::string> classes_of = std::nullopt;
  static const Schema<SqueezenetOptions>& schema();
};

[[nodiscard]] Choice<Layer> squeezenet(SqueezenetOptions options = {});

}  // namespace hearth::layers
