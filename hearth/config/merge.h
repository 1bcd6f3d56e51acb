// Several configs into one, and overrides from the command line, with the schema's knowledge:
// choosing another component for a place drops the old one's options.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/catalog.h"
#include "hearth/config/node.h"

namespace hearth {

// `over` wins. Maps merge, lists and scalars replace, a place keeps one component.
[[nodiscard]] Node merge(const Node& base, const Node& over, const SchemaInfo& schema,
                         const Catalog& catalog);

// One of: a.b=value, a.list[0].x=value, a.list+=value, a.b=null. The value is YAML. ConfigError
// names the text of the override and the nearest path.
[[nodiscard]] Node apply_override(const Node& config, const std::string& text,
                                  const SchemaInfo& schema, const Catalog& catalog);

}  // namespace hearth
