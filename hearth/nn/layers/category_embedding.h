// Learned rows of numbers for categories of a table.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct CategoryEmbeddingOptions {
  std::optional<int64_t> size = std::nullopt;  // by the number of categories when left out
  std::string combine = "concat";
  bool pairs = false;
  static const Schema<CategoryEmbeddingOptions>& schema();
};

[[nodiscard]] Choice<Layer> category_embedding(CategoryEmbeddingOptions options = {});

}  // namespace hearth::layers
