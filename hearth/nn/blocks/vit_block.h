// The block of vision transformers: attention and a small network, each after a layer norm.
#pragma once

#include <cstdint>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct VitBlockOptions {
  int64_t heads = 0;   // must be given
  int64_t hidden = 0;  // must be given
  double dropout = 0;
  double attention_dropout = 0;
  bool only_first = false;
  static const Schema<VitBlockOptions>& schema();
};

[[nodiscard]] Choice<Layer> vit_block(VitBlockOptions options);

}  // namespace hearth::layers
