// Samples of a class alike, others not.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::network_ops {

struct SupConOptions {
  std::vector<std::string> in = {"points", "label"};
  std::string out = "loss";
  double temperature = 0.1;
  std::string weight = {};
  std::string mask = {};
  std::string reduction = "mean";
  static const Schema<SupConOptions>& schema();
};

[[nodiscard]] Choice<NetworkOp> sup_con(SupConOptions options = {});

}  // namespace hearth::network_ops
