// Several values behind each other: channels of images, features of sequences.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::layers {

struct ConcatOptions {
  static const Schema<ConcatOptions>& schema();
};

[[nodiscard]] Choice<Layer> concat(ConcatOptions options = {});

}  // namespace hearth::layers
