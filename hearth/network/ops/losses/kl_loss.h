// How far predicted shares of classes are from true ones.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::network_ops {

struct KlLossOptions {
  std::vector<std::string> in = {"logits", "probability"};
  std::string out = "loss";
  std::string predicted = "scores";
  std::string truth = "probability";
  std::string weight = {};
  std::string mask = {};
  std::string reduction = "mean";
  static const Schema<KlLossOptions>& schema();
};

[[nodiscard]] Choice<NetworkOp> kl_loss(KlLossOptions options = {});

}  // namespace hearth::network_ops
