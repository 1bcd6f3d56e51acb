// Wide and deep: what a table's columns say by themselves, and what they say together.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct WideAndDeepOptions {
  std::vector<int64_t> hidden = {64, 32};
  std::optional<int64_t> embedding_size = std::nullopt;
  bool pairs = true;
  double dropout = 0;
  std::optional<int64_t> out_features = std::nullopt;  // the data's number of classes
  std::optional<std::string> classes_of = std::nullopt;
  static const Schema<WideAndDeepOptions>& schema();
};

[[nodiscard]] Choice<Layer> wide_and_deep(WideAndDeepOptions options = {});

}  // namespace hearth::layers
