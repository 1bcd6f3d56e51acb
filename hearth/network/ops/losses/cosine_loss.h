// Directions of points that belong together.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::network_ops {

struct CosineLossOptions {
  std::vector<std::string> in = {"points", "other"};
  std::string out = "loss";
  double margin = 0;
  std::string weight = {};
  std::string mask = {};
  std::string reduction = "mean";
  static const Schema<CosineLossOptions>& schema();
};

[[nodiscard]] Choice<NetworkOp> cosine_loss(CosineLossOptions options = {});

}  // namespace hearth::network_ops
