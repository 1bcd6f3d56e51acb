// A vision transformer: an image's patches as a sequence, with a place for the whole.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct VitOptions {
  std::string variant = "b_16";
  std::optional<int64_t> classes = std::nullopt;  // from the data when left out
  std::optional<std::string> classes_of = std::nullopt;
  std::optional<int64_t> patch_size = std::nullopt;  // what is left out is the variant's
  std::optional<int64_t> layers = std::nullopt;
  std::optional<int64_t> heads = std::nullopt;
  std::optional<int64_t> width = std::nullopt;
  std::optional<int64_t> hidden = std::nullopt;  // four times the width when left out
  double dropout = 0;
  double attention_dropout = 0;
  static const Schema<VitOptions>& schema();
};

[[nodiscard]] Choice<Layer> vit(VitOptions options = {});

}  // namespace hearth::layers
