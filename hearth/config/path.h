// Options that are paths: relative to the file that names them, absolute once they are loaded.
#pragma once

#include <string>

#include "hearth/config/catalog.h"
#include "hearth/config/node.h"

namespace hearth {

// The path a value names: relative to the folder of the file it was written in; from the command
// line and from C++, to the working folder. An empty text stays empty.
[[nodiscard]] std::string absolute_path(const Node& value);

// A config that passed `validate`, with all its paths absolute: it means the same from any folder.
[[nodiscard]] Node with_absolute_paths(Node config, const SchemaInfo& schema,
                                       const Catalog& catalog);
// The same for the options below one value, such as a component.
[[nodiscard]] Node with_absolute_paths(Node value, const Type& type, const Catalog& catalog);

}  // namespace hearth
