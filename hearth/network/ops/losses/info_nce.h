// Two views of a sample more alike than those of different ones.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::network_ops {

struct InfoNceOptions {
  std::vector<std::string> in = {"points", "other"};
  std::string out = "loss";
  std::string form = "nt_xent";
  double temperature = 0.1;
  std::string weight = {};
  std::string mask = {};
  std::string reduction = "mean";
  static const Schema<InfoNceOptions>& schema();
};

[[nodiscard]] Choice<NetworkOp> info_nce(InfoNceOptions options = {});

}  // namespace hearth::network_ops
