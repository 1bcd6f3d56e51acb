// Makes whole channels zero at random while training.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::layers {

struct Dropout2dOptions {
  double p = 0.5;
  static const Schema<Dropout2dOptions>& schema();
};

[[nodiscard]] Choice<Layer> dropout2d(Dropout2dOptions options = {});

}  // namespace hearth::layers
