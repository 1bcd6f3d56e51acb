// Looks at chosen keys, layers and gradients for values that are no finite numbers.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/config/time.h"

namespace hearth::traces {

struct NanGuardOptions {
  std::vector<std::string> keys = {"loss"};
  std::vector<std::string> layers = {};
  bool gradients = false;
  Time interval = steps(1);
  static const Schema<NanGuardOptions>& schema();
};

[[nodiscard]] Choice<Trace> nan_guard(NanGuardOptions options = {});

}  // namespace hearth::traces
