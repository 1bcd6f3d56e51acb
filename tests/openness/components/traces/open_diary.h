// A line for every epoch.
#pragma once

#include <string>

#include "hearth/config/choice.h"

namespace hearth::traces {

struct OpenDiaryOptions {
  std::string monitor = "eval/accuracy";
  static const Schema<OpenDiaryOptions>& schema();
};

[[nodiscard]] Choice<Trace> open_diary(OpenDiaryOptions options = {});

}  // namespace hearth::traces
