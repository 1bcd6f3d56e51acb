// Which layers make what a model gives.
#include "hearth/train/model_heads.h"

#include <algorithm>

namespace hearth {
namespace {

class HeadFinder {
 public:
  explicit HeadFinder(std::set<std::string>& heads) : heads_(heads) {}

  void look(const Layer& layer, const std::string& path) {
    const Description& description = layer.description();
    if (description.is_empty()) return look_at_last(layer, path);
    std::set<std::string> seen;
    for (const std::string& output : description.outputs) look_behind(layer, path, output, seen);
  }

 private:
  void look_at_last(const Layer& layer, const std::string& path) {
    const auto& children = layer.tree().own_children();
    for (size_t i = children.size(); i-- > 0;)
      if (children[i].second->parameter_count() > 0)
        return look(*children[i].second, below(path, children[i].first));
    if (layer.parameter_count() > 0) heads_.insert(path);
  }

  // Back from a value of the layer's description, until somebody has parameters.
  void look_behind(const Layer& layer, const std::string& path, const std::string& value,
                   std::set<std::string>& seen) {
    if (!seen.insert(value).second) return;
    for (const LayerNode& node : layer.description().nodes) {
      if (std::ranges::find(node.out, value) == node.out.end()) continue;
      const std::string name = node.used().empty() ? node.name : node.used();
      const Layer* child = layer.tree().find_child(name);
      if (child != nullptr && child->parameter_count() > 0)
        look(*child, below(path, name));
      else
        for (const std::string& input : node.in) look_behind(layer, path, input, seen);
    }
  }

  static std::string below(const std::string& path, const std::string& name) {
    return name.empty() ? path : path + name + ".";
  }

  std::set<std::string>& heads_;
};

}  // namespace

std::set<std::string> model_heads(const Layer& model) {
  std::set<std::string> heads;
  HeadFinder(heads).look(model, "");
  return heads;
}

}  // namespace hearth
