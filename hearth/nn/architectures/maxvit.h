// MaxViT: convolutions and attention, in windows and over grids, in stages of ever smaller images.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct MaxvitOptions {
  std::optional<int64_t> classes = std::nullopt;  // from the data when left out
  std::optional<std::string> classes_of = std::nullopt;
  int64_t stem = 64;
  std::vector<int64_t> widths = {64, 128, 256, 512};
  std::vector<int64_t> depths = {2, 2, 5, 2};
  int64_t head_size = 32;
  int64_t window = 7;
  double drop_path = 0.2;
  double dropout = 0;
  static const Schema<MaxvitOptions>& schema();
};

[[nodiscard]] Choice<Layer> maxvit(MaxvitOptions options = {});

}  // namespace hearth::layers
