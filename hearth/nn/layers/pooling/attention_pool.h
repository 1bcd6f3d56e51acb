// A mean over places, weighted by scores that are learned.
#pragma once

#include <cstdint>
#include <optional>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct AttentionPoolOptions {
  std::optional<int64_t> hidden = std::nullopt;
  static const Schema<AttentionPoolOptions>& schema();
};

[[nodiscard]] Choice<Layer> attention_pool(AttentionPoolOptions options = {});

}  // namespace hearth::layers
