// The loss of a classifier whose classes are directions, an angle apart.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/optim/optimizers/sgd.h"

namespace hearth::network_ops {

struct ArcFaceOptions {
  std::string name = "directions";
  std::vector<std::string> in = {"features", "label"};
  std::string out = "loss";
  double margin = 0.5;
  double scale = 64;
  Choice<Optimizer> optimizer = optimizers::sgd({.lr = 0.1, .momentum = 0.9});
  std::string weight = {};
  std::string mask = {};
  std::string reduction = "mean";
  static const Schema<ArcFaceOptions>& schema();
};

[[nodiscard]] Choice<NetworkOp> arc_face(ArcFaceOptions options = {});

}  // namespace hearth::network_ops
