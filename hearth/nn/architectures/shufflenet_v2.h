// Small networks that shuffle channels between branches.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct ShufflenetV2Options {
  double width = 1;
  std::vector<int64_t> stages_repeats = {4, 8, 4};
  std::optional<std::vector<int64_t>> stages_out_channels = std::nullopt;  // by width when left out
  std::optional<int64_t> classes = std::nullopt;  // from the data when left out
  std::optional<std::string> classes_of = std::nullopt;
  static const Schema<ShufflenetV2Options>& schema();
};

[[nodiscard]] Choice<Layer> shufflenet_v2(ShufflenetV2Options options = {});

}  // namespace hearth::layers
