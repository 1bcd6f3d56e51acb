// A relu whose slope below zero is learned.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::layers {

struct PreluOptions {
  bool per_channel = false;
  double first = 0.25;
  static const Schema<PreluOptions>& schema();
};

[[nodiscard]] Choice<Layer> prelu(PreluOptions options = {});

}  // namespace hearth::layers
