// A linear layer: out = in * weight^T + bias, over the last dimension.
#pragma once

#include <cstdint>
#include <optional>

#include "hearth/config/choice.h"

namespace hearth {

struct LinearOptions {
  std::optional<int64_t> out_features = std::nullopt;  // the data's number of classes when left out
  bool bias = true;
  static const Schema<LinearOptions>& schema();
};

[[nodiscard]] Choice<Layer> linear(LinearOptions options = {});

}  // namespace hearth
