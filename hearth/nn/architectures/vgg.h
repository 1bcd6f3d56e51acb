// Networks of 3x3 convolutions, one after another.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct VggOptions {
  int64_t depth = 16;
  bool batch_norm = false;
  double dropout = 0.5;
  double width_mult = 1;
  std::optional<int64_t> classes = std::nullopt;  // from the data when left out
  std::optional<std::string> classes_of = std::nullopt;
  static const Schema<VggOptions>& schema();
};

[[nodiscard]] Choice<Layer> vgg(VggOptions options = {});

}  // namespace hearth::layers
