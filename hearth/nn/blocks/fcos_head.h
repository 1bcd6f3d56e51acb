// The heads of a detector without anchors.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct FcosHeadOptions {
  std::optional<int64_t> classes = std::nullopt;  // from the data when left out
  std::optional<std::string> classes_of = std::nullopt;
  int64_t convolutions = 4;
  int64_t groups = 32;
  static const Schema<FcosHeadOptions>& schema();
};

[[nodiscard]] Choice<Layer> fcos_head(FcosHeadOptions options = {});

}  // namespace hearth::layers
