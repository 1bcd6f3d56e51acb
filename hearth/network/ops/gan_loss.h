// The loss of a generator, or of the critic that tells its work from the real.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::network_ops {

struct GanLossOptions {
  std::string side = "critic";
  std::vector<std::string> in = {"real_score", "fake_score"};
  std::string out = "loss";
  std::string form = "logistic";
  std::string weight = {};
  std::string mask = {};
  std::string reduction = "mean";
  static const Schema<GanLossOptions>& schema();
};

[[nodiscard]] Choice<NetworkOp> gan_loss(GanLossOptions options = {});

}  // namespace hearth::network_ops
