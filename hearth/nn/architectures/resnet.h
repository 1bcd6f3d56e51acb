// Residual networks: the small ones for 32x32 images and the large ones for 224x224.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/nn/description.h"

namespace hearth::layers {

struct ResnetOptions {
  int64_t depth = 18;
  std::optional<int64_t> classes = std::nullopt;  // from the data when left out
  std::optional<std::string> classes_of = std::nullopt;
  std::optional<int64_t> width = std::nullopt;  // 16 for the small ones, 64 for the large ones
  int64_t groups = 1;
  int64_t width_per_group = 64;
  std::vector<bool> replace_stride_with_dilation = {};  // of the second stage and those after it
  static const Schema<ResnetOptions>& schema();
};

[[nodiscard]] Choice<Layer> resnet(ResnetOptions options = {});

// The layers before the pool, for networks that are built on them.
[[nodiscard]] NamedLayers resnet_features(const ResnetOptions& options);

}  // namespace hearth::layers
