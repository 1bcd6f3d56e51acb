// Attention within the windows of an image, as Swin and MaxViT transformers have it.
#pragma once

#include <cstdint>
#include <string>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct WindowAttentionOptions {
  int64_t heads = 0;  // must be given
  int64_t window = 7;
  int64_t shift = 0;
  bool cosine = false;
  bool grid = false;
  std::string names = "swin";
  static const Schema<WindowAttentionOptions>& schema();
};

[[nodiscard]] Choice<Layer> window_attention(WindowAttentionOptions options);

}  // namespace hearth::layers
