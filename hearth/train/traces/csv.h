// Writes metrics into one CSV file, a row for each epoch or every so many steps.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/config/time.h"

namespace hearth::traces {

struct CsvOptions {
  std::vector<std::string> metrics = {};
  Time interval = epochs(1);
  std::string out = "metrics";
  static const Schema<CsvOptions>& schema();
};

[[nodiscard]] Choice<Trace> csv(CsvOptions options = {});

}  // namespace hearth::traces
