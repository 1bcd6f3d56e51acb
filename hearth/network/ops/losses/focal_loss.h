// The loss of a classifier that cares for hard samples.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::network_ops {

struct FocalLossOptions {
  std::vector<std::string> in = {"logits", "label"};
  std::string out = "loss";
  std::string form = "classes";
  double gamma = 2;
  std::vector<double> alpha = {};
  std::string weight = {};
  std::string mask = {};
  std::string reduction = "mean";
  static const Schema<FocalLossOptions>& schema();
};

[[nodiscard]] Choice<NetworkOp> focal_loss(FocalLossOptions options = {});

}  // namespace hearth::network_ops
