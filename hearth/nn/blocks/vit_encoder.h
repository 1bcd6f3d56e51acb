// What a vision transformer does with its sequence: learned positions, blocks and a layer norm.
#pragma once

#include <cstdint>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct VitEncoderOptions {
  int64_t layers = 0;  // must be given
  int64_t heads = 0;   // must be given
  int64_t hidden = 0;  // must be given
  double dropout = 0;
  double attention_dropout = 0;
  bool only_first = false;
  static const Schema<VitEncoderOptions>& schema();
};

[[nodiscard]] Choice<Layer> vit_encoder(VitEncoderOptions options);

}  // namespace hearth::layers
