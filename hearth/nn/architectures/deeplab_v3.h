// DeepLab's third version: scores for every point of an image, by surroundings of several sizes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/nn/architectures/resnet.h"

namespace hearth::layers {

struct DeeplabV3Options {
  Choice<Layer> backbone = resnet({.depth = 50});
  std::optional<int64_t> classes = std::nullopt;  // from the data when left out
  std::optional<std::string> classes_of = std::nullopt;
  bool aux = false;
  int64_t width = 256;
  std::vector<int64_t> rates = {12, 24, 36};
  double dropout = 0.5;
  double aux_dropout = 0.1;
  static const Schema<DeeplabV3Options>& schema();
};

[[nodiscard]] Choice<Layer> deeplab_v3(DeeplabV3Options options = {});

}  // namespace hearth::layers
