// The generator of a DCGAN: images from noise.
#pragma once

#include <cstdint>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct DcganGeneratorOptions {
  int64_t size = 64;
  int64_t channels = 3;
  int64_t width = 64;
  static const Schema<DcganGeneratorOptions>& schema();
};

[[nodiscard]] Choice<Layer> dcgan_generator(DcganGeneratorOptions options = {});

}  // namespace hearth::layers
