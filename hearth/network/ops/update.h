// Moves a model's parameters down the gradient of a loss.
#pragma once

#include <cstdint>
#include <string>

#include "hearth/config/choice.h"

namespace hearth::network_ops {

struct UpdateOptions {
  std::string model = "net";
  std::string loss = "loss";
  int64_t accumulate = 1;
  double clip_norm = 0;  // off
  std::string optimizer = "";
  static const Schema<UpdateOptions>& schema();
};

[[nodiscard]] Choice<NetworkOp> update(UpdateOptions options = {});

}  // namespace hearth::network_ops
