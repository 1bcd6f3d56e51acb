// A model learns from what another says.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::network_ops {

struct DistillationLossOptions {
  std::vector<std::string> in = {"logits", "teacher_logits", "label"};
  std::string out = "loss";
  double temperature = 4;
  double alpha = 0.9;
  std::string weight = {};
  std::string mask = {};
  std::string reduction = "mean";
  static const Schema<DistillationLossOptions>& schema();
};

[[nodiscard]] Choice<NetworkOp> distillation_loss(DistillationLossOptions options = {});

}  // namespace hearth::network_ops
