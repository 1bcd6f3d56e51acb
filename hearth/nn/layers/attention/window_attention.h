// Attention within the windows of an image, as Swin transformers have it.
#pragma once

#include <cstdint>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct WindowAttentionOptions {
  int64_t heads = 0;  // must be given
  int64_t window = 7;
  int64_t shift = 0;
  bool cosine = false;
  static const Schema<WindowAttentionOptions>& schema();
};

[[nodiscard]] Choice<Layer> window_attention(WindowAttentionOptions options);

}  // namespace hearth::layers
