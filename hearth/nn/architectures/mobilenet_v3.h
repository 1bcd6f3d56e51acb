// Small networks of inverted residual blocks that weigh their channels.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "hearth/config/choice.h"
#include "hearth/nn/description.h"

namespace hearth::layers {

struct MobilenetV3Options {
  std::string variant = "large";
  double width_mult = 1;
  bool reduced_tail = false;
  bool dilated = false;
  double dropout = 0.2;
  std::optional<int64_t> classes = std::nullopt;  // from the data when left out
  std::optional<std::string> classes_of = std::nullopt;
  static const Schema<MobilenetV3Options>& schema();
};

[[nodiscard]] Choice<Layer> mobilenet_v3(MobilenetV3Options options = {});

// The layers before the pool, for networks that are built on them.
[[nodiscard]] NamedLayers mobilenet_v3_features(const MobilenetV3Options& options);

}  // namespace hearth::layers
