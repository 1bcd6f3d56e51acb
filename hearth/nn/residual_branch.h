// A branch that changes its input or takes its place.
#pragma once

#include <string>

#include "hearth/nn/description.h"

namespace hearth {

struct ResidualBranch {
  Choice<Layer> layer;
  std::string name;
  bool is_added = true;  // to the input
  double drop_path = 0;  // share of samples whose change is dropped while training
};
[[nodiscard]] Description residual_branch(const ResidualBranch& branch);

inline constexpr const char* kDropPathHelp =
    "Share of samples whose change is dropped while training.";

}  // namespace hearth
