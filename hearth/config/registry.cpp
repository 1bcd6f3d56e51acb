// The fault of naming a component that is not there.
#include "hearth/config/registry.h"

#include "hearth/config/chosen.h"

namespace hearth {

void throw_unknown_component(const std::string& kind, const std::string& name,
                             const std::vector<std::string>& known, const Mark& mark) {
  const Node came = name.empty() ? Node() : Node::scalar(name);
  throw ConfigError(unknown_component_message(kind, came, known), mark.place());
}

}  // namespace hearth
