// A fully convolutional network: scores for every point of an image.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "hearth/config/choice.h"
#include "hearth/nn/architectures/resnet.h"

namespace hearth::layers {

struct FcnOptions {
  Choice<Layer> backbone = resnet({.depth = 50});
  std::optional<int64_t> classes = std::nullopt;  // from the data when left out
  std::optional<std::string> classes_of = std::nullopt;
  bool aux = false;
  double dropout = 0.1;
  static const Schema<FcnOptions>& schema();
};

[[nodiscard]] Choice<Layer> fcn(FcnOptions options = {});

}  // namespace hearth::layers
