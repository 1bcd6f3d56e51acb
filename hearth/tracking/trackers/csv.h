// Writes the numbers that a run logs as one CSV file.
#pragma once

#include <string>

#include "hearth/tracking/tracker.h"

namespace hearth::trackers {

struct CsvOptions {
  std::string file;
  static const Schema<CsvOptions>& schema();
};

[[nodiscard]] Choice<Tracker> csv(CsvOptions options = {});

}  // namespace hearth::trackers
