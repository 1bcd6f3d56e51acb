// What techniques are written with: components of a config, found and changed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hearth/config/node.h"

namespace hearth {

// There, and not null.
[[nodiscard]] bool has_value(const Node& options, std::string_view option);
// The first text of an option that holds one or a list of them.
[[nodiscard]] std::string text_or(const Node& options, std::string_view option,
                                  const std::string& otherwise);

// A component as a map {name: options}, whichever way it was written.
[[nodiscard]] Node as_component(const Node& choice);
// The value and all in it with this mark.
[[nodiscard]] Node with_mark(Node value, const Mark& mark);
// {name: {option: value, ...}}, all with this mark.
[[nodiscard]] Node component(const std::string& name,
                             const std::vector<std::pair<std::string, Node>>& options,
                             const Mark& mark = {});
[[nodiscard]] Node text_list(const std::vector<std::string>& texts);

// A list of components such as "network" or "data.batch_ops", each as {name: options}; an empty one
// is put where there is none.
[[nodiscard]] Node& component_list(Node& config, std::string_view path);

struct ListedComponent {
  std::string label;  // "network[1] cross_entropy"
  Node* options;
};
// Those of a list that have this name. They hold as long as the config is not changed elsewhere.
[[nodiscard]] std::vector<ListedComponent> components_named(Node& config, std::string_view path,
                                                            std::string_view name);

// "'a', 'b' and 'c'".
[[nodiscard]] std::string quoted_names(const std::vector<std::string>& names);

}  // namespace hearth
