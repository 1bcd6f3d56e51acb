// Gradients without their mean.
#pragma once

#include <string>

#include "hearth/config/choice.h"

namespace hearth::network_ops {

struct CentralizeGradientsOptions {
  std::string in = "gradients";
  std::string out = "";
  static const Schema<CentralizeGradientsOptions>& schema();
};

[[nodiscard]] Choice<NetworkOp> centralize_gradients(CentralizeGradientsOptions options = {});

}  // namespace hearth::network_ops
