// The discriminator of a DCGAN: how real an image looks.
#pragma once

#include <cstdint>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct DcganDiscriminatorOptions {
  int64_t width = 64;
  static const Schema<DcganDiscriminatorOptions>& schema();
};

[[nodiscard]] Choice<Layer> dcgan_discriminator(DcganDiscriminatorOptions options = {});

}  // namespace hearth::layers
