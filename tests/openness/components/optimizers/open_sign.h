// Steps of one length, whatever the gradient.
#pragma once

#include "hearth/config/choice.h"
#include "hearth/schedule/schedule.h"

namespace hearth::optimizers {

struct OpenSignOptions {
  Scheduled lr = 0.01;
  static const Schema<OpenSignOptions>& schema();
};

[[nodiscard]] Choice<Optimizer> open_sign(OpenSignOptions options = {});

}  // namespace hearth::optimizers
