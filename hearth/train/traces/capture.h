// Writes what layers give into the run log: means, deviations, histograms, dead units.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::traces {

struct CaptureOptions {
  std::vector<std::string> layers = {};
  std::vector<std::string> what = {"mean", "std"};
  int64_t bins = 16;
  static const Schema<CaptureOptions>& schema();
};

[[nodiscard]] Choice<Trace> capture(CaptureOptions options);

}  // namespace hearth::traces
