// A branch that changes its input or takes its place.
#include "hearth/nn/residual_branch.h"

#include <algorithm>

#include "hearth/nn/layers/composition/add.h"
#include "hearth/nn/layers/composition/use.h"
#include "hearth/nn/layers/regularization/drop_path.h"

namespace hearth {
namespace {

bool has_node(const std::vector<Choice<Layer>>& nodes, const std::string& name) {
  return std::any_of(nodes.begin(), nodes.end(), [&](const Choice<Layer>& node) {
    const Node* own = node.options().find("name");
    return own != nullptr && own->text() == name;
  });
}

}  // namespace

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

void add_branch(const AddedBranch& branch, std::vector<Choice<Layer>>& nodes) {
  std::string last = branch.around;
  const auto add_node = [&](const Choice<Layer>& layer, const std::string& name) {
    nodes.push_back(wired(layer, {last}, {}, name));
    last = name;
  };
  for (const auto& [name, layer] : branch.layers) add_node(layer, name);
  if (branch.drop_path > 0) {
    const std::string& drop = branch.drop_name;
    if (has_node(nodes, drop))
      add_node(layers::use({.layer = drop}), drop + "_again");
    else
      add_node(layers::drop_path({.p = branch.drop_path}), drop);
  }
  nodes.push_back(wired(layers::add(), {last, branch.around}, {}, branch.sum));
}

}  // namespace hearth
