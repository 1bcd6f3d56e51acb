// A place's own small network: a wider linear layer, an activation, and a linear layer back.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "hearth/nn/description.h"

namespace hearth {

struct FeedForward {
  int64_t hidden = 0;
  int64_t out = 0;
  double dropout = 0;  // after both; left out when zero
  // Of both linear layers, the activation between them and the dropouts, as torchvision's MLP.
  std::array<std::string, 5> names = {"0", "1", "2", "3", "4"};
};

// With gelu, over the last dimension.
[[nodiscard]] Choice<Layer> feed_forward(const FeedForward& form);

}  // namespace hearth
