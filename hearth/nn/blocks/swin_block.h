// The block of Swin transformers: attention in windows, and a small network for each point.
#pragma once

#include <cstdint>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct SwinBlockOptions {
  int64_t heads = 0;  // must be given
  int64_t window = 7;
  int64_t shift = 0;
  int64_t hidden_factor = 4;
  double dropout = 0;
  double drop_path = 0;
  int64_t version = 1;
  static const Schema<SwinBlockOptions>& schema();
};

[[nodiscard]] Choice<Layer> swin_block(SwinBlockOptions options);

}  // namespace hearth::layers
