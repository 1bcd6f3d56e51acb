// Writes what a run logs as TensorBoard's event files.
#pragma once

#include <string>

#include "hearth/tracking/tracker.h"

namespace hearth::trackers {

struct TensorboardOptions {
  std::string folder;
  static const Schema<TensorboardOptions>& schema();
};

[[nodiscard]] Choice<Tracker> tensorboard(TensorboardOptions options = {});

}  // namespace hearth::trackers
