// The loss of a segmentation: how much of the regions is not shared.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::network_ops {

struct DiceLossOptions {
  std::vector<std::string> in = {"logits", "label"};
  std::string out = "loss";
  std::string form = "classes";
  double smooth = 1;
  bool skip_first = false;
  std::string weight = {};
  std::string mask = {};
  std::string reduction = "mean";
  static const Schema<DiceLossOptions>& schema();
};

[[nodiscard]] Choice<NetworkOp> dice_loss(DiceLossOptions options = {});

}  // namespace hearth::network_ops
