// The three losses of a detector without anchors.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::network_ops {

struct FcosLossOptions {
  std::vector<std::string> in = {"scores", "distances", "centerness", "points"};
  std::string boxes = "boxes";
  std::string labels = "labels";
  std::string mask = {};
  std::string weight = {};
  std::vector<std::string> out = {"class_loss", "box_loss", "center_loss"};
  double radius = 1.5;
  double alpha = 0.25;
  double gamma = 2;
  std::string reduction = "mean";
  static const Schema<FcosLossOptions>& schema();
};

[[nodiscard]] Choice<NetworkOp> fcos_loss(FcosLossOptions options = {});

}  // namespace hearth::network_ops
