// A branch that changes its input or takes its place.
#include "hearth/nn/residual_branch.h"

#include "hearth/nn/layers/composition/add.h"
#include "hearth/nn/layers/regularization/drop_path.h"

namespace hearth {

Description residual_branch(const ResidualBranch& branch) {
  std::vector<Choice<Layer>> nodes = {named(branch.layer, branch.name)};
  if (!branch.is_added) return described({"input"}, nodes);
  std::string last = branch.name;
  if (branch.drop_path > 0) {
    last = "stochastic_depth";
    nodes.push_back(named(layers::drop_path({.p = branch.drop_path}), last));
  }
  nodes.push_back(wired(layers::add(), {last, "input"}, {}, "add"));
  return described({"input"}, nodes);
}

}  // namespace hearth
