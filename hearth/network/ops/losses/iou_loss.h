// The loss of boxes or regions: how much of them is not shared.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::network_ops {

struct IouLossOptions {
  std::vector<std::string> in = {"boxes", "truth"};
  std::string out = "loss";
  std::string of = "boxes";
  std::string form = "iou";
  double smooth = 1;
  bool skip_first = false;
  std::string weight = {};
  std::string mask = {};
  std::string reduction = "mean";
  static const Schema<IouLossOptions>& schema();
};

[[nodiscard]] Choice<NetworkOp> iou_loss(IouLossOptions options = {});

}  // namespace hearth::network_ops
