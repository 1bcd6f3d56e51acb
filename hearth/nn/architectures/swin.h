// A Swin transformer: attention in windows that move from block to block, in four stages.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct SwinOptions {
  std::string variant = "t";
  std::optional<int64_t> classes = std::nullopt;  // from the data when left out
  std::optional<std::string> classes_of = std::nullopt;
  int64_t patch_size = 4;
  std::optional<int64_t> width = std::nullopt;  // what is left out is the variant's
  std::optional<std::vector<int64_t>> depths = std::nullopt;
  std::optional<std::vector<int64_t>> heads = std::nullopt;
  std::optional<int64_t> window = std::nullopt;
  std::optional<double> drop_path = std::nullopt;
  double dropout = 0;
  static const Schema<SwinOptions>& schema();
};

[[nodiscard]] Choice<Layer> swin(SwinOptions options = {});

}  // namespace hearth::layers
