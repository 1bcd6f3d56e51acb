// A price on weights, as a part of the loss that is logged.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hearth/experiment/technique.h"

namespace hearth::techniques {

struct RegularizeOptions {
  std::vector<std::string> match = {"*"};
  double l1 = 0;
  std::optional<double> l2 = {};
  double orthogonal = 0;
  bool vectors = false;
  std::string name = "penalty";
  std::optional<std::string> model = {};
  static const Schema<RegularizeOptions>& schema();
};

[[nodiscard]] Choice<Technique> regularize(RegularizeOptions options = {});

}  // namespace hearth::techniques
