// Runs a model on a key.
#pragma once

#include <string>

#include "hearth/config/choice.h"

namespace hearth {

struct CallOptions {
  std::string model = "net";
  std::string in = "image";
  std::string out = "logits";
  static const Schema<CallOptions>& schema();
};

[[nodiscard]] Choice<NetworkOp> call(CallOptions options = {});

}  // namespace hearth
