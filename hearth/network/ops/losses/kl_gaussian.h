// How far normal distributions are from the standard one: the other half of a VAE.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::network_ops {

struct KlGaussianOptions {
  std::vector<std::string> in = {"mean", "log_variance"};
  std::string out = "kl";
  std::string weight = {};
  std::string mask = {};
  std::string reduction = "mean";
  static const Schema<KlGaussianOptions>& schema();
};

[[nodiscard]] Choice<NetworkOp> kl_gaussian(KlGaussianOptions options = {});

}  // namespace hearth::network_ops
