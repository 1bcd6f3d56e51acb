// Samples of a kind nearer to each other than to others, by a margin.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::network_ops {

struct TripletLossOptions {
  std::vector<std::string> in = {"anchor", "same", "different"};
  std::string out = "loss";
  double margin = 1;
  std::string mining = "hard";
  std::string weight = {};
  std::string mask = {};
  std::string reduction = "mean";
  static const Schema<TripletLossOptions>& schema();
};

[[nodiscard]] Choice<NetworkOp> triplet_loss(TripletLossOptions options = {});

}  // namespace hearth::network_ops
