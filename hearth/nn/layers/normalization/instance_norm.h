// Normalization of every channel, each sample by itself.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::layers {

struct InstanceNormOptions {
  double eps = 1e-5;
  double momentum = 0.1;
  bool affine = false;
  bool track_running_stats = false;
  static const Schema<InstanceNormOptions>& schema();
};

[[nodiscard]] Choice<Layer> instance_norm(InstanceNormOptions options = {});

}  // namespace hearth::layers
