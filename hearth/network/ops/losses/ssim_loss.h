// How little two images look alike.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::network_ops {

struct SsimLossOptions {
  std::vector<std::string> in = {"image", "truth"};
  std::string out = "loss";
  int64_t window = 11;
  double sigma = 1.5;
  double range = 1;
  std::string weight = {};
  std::string mask = {};
  std::string reduction = "mean";
  static const Schema<SsimLossOptions>& schema();
};

[[nodiscard]] Choice<NetworkOp> ssim_loss(SsimLossOptions options = {});

}  // namespace hearth::network_ops
