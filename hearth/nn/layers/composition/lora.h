// A layer with a low-rank part beside it (LoRA): what is learned is small, and the layer stays.
#pragma once

#include <cstdint>
#include <optional>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct LoraOptions {
  std::optional<Choice<Layer>> layer = {};  // the edit that puts it there says it
  int64_t rank = 8;
  double alpha = 16;
  double dropout = 0;
  static const Schema<LoraOptions>& schema();
};

[[nodiscard]] Choice<Layer> lora(LoraOptions options);

}  // namespace hearth::layers
