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

// One of several branches of a description.
struct AddedBranch {
  NamedLayers layers;                          // one after another
  std::string around;                          // the value that they change and are added to
  std::string sum;                             // what comes out
  double drop_path = 0;                        // as above,
  std::string drop_name = "stochastic_depth";  // by one layer for all branches of the description
};
void add_branch(const AddedBranch& branch, std::vector<Choice<Layer>>& nodes);

inline constexpr const char* kDropPathHelp =
    "Share of samples whose change is dropped while training.";

}  // namespace hearth
