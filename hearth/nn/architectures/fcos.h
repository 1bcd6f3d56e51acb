// FCOS, a detector without anchors.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct FcosOptions {
  std::optional<Choice<Layer>> backbone = std::nullopt;  // resnet of depth 50
  std::vector<std::string> levels = {"layer2", "layer3", "layer4"};
  int64_t first_size = 8;
  int64_t channels = 256;
  int64_t extra_levels = 2;
  int64_t convolutions = 4;
  int64_t groups = 32;
  std::optional<int64_t> classes = std::nullopt;  // from the data when left out
  std::optional<std::string> classes_of = std::nullopt;
  static const Schema<FcosOptions>& schema();
};

[[nodiscard]] Choice<Layer> fcos(FcosOptions options = {});

}  // namespace hearth::layers
