// A model whose parameters follow another's: their moving average, or their mean.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::network_ops {

struct FollowOptions {
  std::string model = {};  // must be given
  std::string of = "net";
  double decay = 0.999;
  bool mean = false;
  std::vector<std::string> after = {};
  static const Schema<FollowOptions>& schema();
};

[[nodiscard]] Choice<NetworkOp> follow(FollowOptions options);

}  // namespace hearth::network_ops
