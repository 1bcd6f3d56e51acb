// A text classifier of convolutions with windows of several sizes.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct TextCnnOptions {
  int64_t embedding_size = 300;
  std::vector<int64_t> kernel_sizes = {3, 4, 5};
  int64_t channels = 100;
  double dropout = 0.5;
  std::optional<int64_t> vocabulary = std::nullopt;  // from the data when left out
  std::optional<int64_t> classes = std::nullopt;     // from the data when left out
  static const Schema<TextCnnOptions>& schema();
};

[[nodiscard]] Choice<Layer> text_cnn(const TextCnnOptions& options = {});

}  // namespace hearth::layers
