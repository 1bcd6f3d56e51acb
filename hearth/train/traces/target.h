// Ends training once metrics are as good as they need to be.
#pragma once

#include <map>
#include <string>

#include "hearth/config/choice.h"

namespace hearth::traces {

struct TargetOptions {
  std::map<std::string, double> reach = {};  // must be given
  static const Schema<TargetOptions>& schema();
};

Choice<Trace> target(TargetOptions options = {});

}  // namespace hearth::traces
