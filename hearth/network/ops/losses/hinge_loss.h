// The loss of a classifier by margins.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::network_ops {

struct HingeLossOptions {
  std::vector<std::string> in = {"logits", "label"};
  std::string out = "loss";
  std::string form = "classes";
  double margin = 1;
  bool squared = false;
  std::string weight = {};
  std::string mask = {};
  std::string reduction = "mean";
  static const Schema<HingeLossOptions>& schema();
};

[[nodiscard]] Choice<NetworkOp> hinge_loss(HingeLossOptions options = {});

}  // namespace hearth::network_ops
