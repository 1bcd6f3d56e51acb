// The newest number of a run, in a file.
#pragma once

#include <string>

#include "hearth/tracking/tracker.h"

namespace hearth::trackers {

struct OpenNewestOptions {
  std::string file = "newest.txt";
  static const Schema<OpenNewestOptions>& schema();
};

[[nodiscard]] Choice<Tracker> open_newest(OpenNewestOptions options = {});

}  // namespace hearth::trackers
