// Attention within windows or grids of an image, and a small network for each point.
#pragma once

#include <cstdint>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct PartitionAttentionOptions {
  int64_t head_size = 32;
  int64_t window = 7;
  bool grid = false;
  int64_t hidden_factor = 4;
  double dropout = 0;
  double drop_path = 0;
  static const Schema<PartitionAttentionOptions>& schema();
};

[[nodiscard]] Choice<Layer> partition_attention(PartitionAttentionOptions options = {});

}  // namespace hearth::layers
