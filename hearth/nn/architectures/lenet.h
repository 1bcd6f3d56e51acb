// LeNet: convolution and pooling for each entry of `channels`, a hidden layer, then the scores.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct LenetOptions {
  std::vector<int64_t> channels = {20, 50};
  int64_t hidden = 500;
  int64_t kernel = 5;
  // Left out: none for images of at least 20 points a side, as in the paper; smaller ones, such as
  // 8x8 digits, are padded by half the kernel so that only the pooling shrinks them.
  std::optional<int64_t> padding = std::nullopt;
  std::optional<int64_t> classes = std::nullopt;  // from the data when left out
  std::optional<std::string> classes_of = std::nullopt;
  static const Schema<LenetOptions>& schema();
};

[[nodiscard]] Choice<Layer> lenet(LenetOptions options = {});

}  // namespace hearth::layers
