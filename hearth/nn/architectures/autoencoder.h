// An autoencoder: samples through a few numbers and back.
#pragma once

#include <cstdint>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct AutoencoderOptions {
  std::vector<int64_t> channels = {};
  std::vector<int64_t> hidden = {128};
  int64_t code = 8;
  static const Schema<AutoencoderOptions>& schema();
};

[[nodiscard]] Choice<Layer> autoencoder(AutoencoderOptions options = {});

}  // namespace hearth::layers
