// Convolutions along a sequence whose windows reach twice as far back from block to block.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct TemporalCnnOptions {
  std::vector<int64_t> channels = {25, 25, 25, 25};  // of each block
  int64_t kernel_size = 2;
  double dropout = 0.2;
  std::string output = "last";
  std::optional<int64_t> classes = std::nullopt;  // from the data when left out
  static const Schema<TemporalCnnOptions>& schema();
};

[[nodiscard]] Choice<Layer> temporal_cnn(const TemporalCnnOptions& options = {});

}  // namespace hearth::layers
