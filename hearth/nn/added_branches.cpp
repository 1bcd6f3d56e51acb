// Where a model adds to a value what some layers made of it.
#include "hearth/nn/added_branches.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <string>

namespace hearth {
namespace {

using Nodes = std::set<size_t>;

// One addition of a described layer.
class Sum {
 public:
  Sum(Layer& owner, const LayerNode& addition)
      : owner_(owner), description_(owner.description()), addition_(addition) {}

  // Empty when neither term goes around the other.
  [[nodiscard]] AddedBranch branch() const {
    if (addition_.in.size() != 2) return {};
    const Nodes first = makers_of(addition_.in[0]);
    const Nodes second = makers_of(addition_.in[1]);
    const std::array<Nodes, 2> own = {without(first, second), without(second, first)};
    const size_t branch = count_leaves(own[0]) >= count_leaves(own[1]) ? 0 : 1;
    // The branch may read more than what goes around it, such as a mask.
    const std::set<std::string> read = begins(own[branch], addition_.in[branch]);
    const std::set<std::string> around = begins(own[1 - branch], addition_.in[1 - branch]);
    const bool goes_around = std::includes(read.begin(), read.end(), around.begin(), around.end());
    return goes_around ? layers_of(own[branch]) : AddedBranch();
  }

 private:
  [[nodiscard]] Nodes makers_of(const std::string& value) const {
    Nodes makers;
    gather_makers(value, makers);
    return makers;
  }

  void gather_makers(const std::string& value, Nodes& makers) const {
    for (size_t i = 0; i < description_.nodes.size(); ++i) {
      const LayerNode& node = description_.nodes[i];
      if (std::find(node.out.begin(), node.out.end(), value) == node.out.end()) continue;
      if (!makers.insert(i).second) continue;
      for (const std::string& read : node.in) gather_makers(read, makers);
    }
  }

  [[nodiscard]] static Nodes without(const Nodes& left, const Nodes& right) {
    Nodes rest;
    std::set_difference(left.begin(), left.end(), right.begin(), right.end(),
                        std::inserter(rest, rest.end()));
    return rest;
  }

  // The values that the nodes read and none of them makes; the term itself when there are none.
  [[nodiscard]] std::set<std::string> begins(const Nodes& nodes, const std::string& term) const {
    if (nodes.empty()) return {term};
    std::set<std::string> read;
    std::set<std::string> made;
    for (const size_t i : nodes) {
      const LayerNode& node = description_.nodes[i];
      read.insert(node.in.begin(), node.in.end());
      made.insert(node.out.begin(), node.out.end());
    }
    for (const std::string& value : made) read.erase(value);
    return read;
  }

  [[nodiscard]] AddedBranch layers_of(const Nodes& nodes) const {
    AddedBranch layers;
    for (const size_t i : nodes) {
      const LayerNode& node = description_.nodes[i];
      const std::string name = node.used().empty() ? node.name : node.used();
      if (Layer* layer = owner_.tree().find_child(name)) layers.push_back(layer);
    }
    return layers;
  }

  [[nodiscard]] size_t count_leaves(const Nodes& nodes) const {
    size_t count = 0;
    for (Layer* layer : layers_of(nodes)) count += leaves_of(*layer).size();
    return count;
  }

  Layer& owner_;
  const Description& description_;
  const LayerNode& addition_;
};

void gather_branches(Layer& layer, std::vector<AddedBranch>& found) {
  for (const LayerNode& node : layer.description().nodes) {
    if (node.layer.name() != "add") continue;
    AddedBranch branch = Sum(layer, node).branch();
    if (!branch.empty()) found.push_back(std::move(branch));
  }
  for (const auto& [name, child] : layer.children()) gather_branches(*child, found);
}

}  // namespace

std::vector<AddedBranch> added_branches(Layer& model) {
  std::vector<AddedBranch> found;
  gather_branches(model, found);
  return found;
}

std::vector<Layer*> leaves_of(Layer& layer) {
  const auto children = layer.children();
  if (children.empty()) return {&layer};
  std::vector<Layer*> leaves;
  for (const auto& [name, child] : children)
    for (Layer* leaf : leaves_of(*child)) leaves.push_back(leaf);
  return leaves;
}

}  // namespace hearth
