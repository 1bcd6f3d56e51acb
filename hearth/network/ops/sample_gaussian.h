// Numbers drawn from normal distributions that a model gives.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::network_ops {

struct SampleGaussianOptions {
  std::vector<std::string> in = {"mean", "log_variance"};
  std::string out = "z";
  Modes random = Mode::kTrain;
  static const Schema<SampleGaussianOptions>& schema();
};

[[nodiscard]] Choice<NetworkOp> sample_gaussian(SampleGaussianOptions options = {});

}  // namespace hearth::network_ops
