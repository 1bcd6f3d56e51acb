// A walk over every map of options in a config, those of components included.
#pragma once

#include <functional>

#include "hearth/config/catalog.h"
#include "hearth/config/node.h"

namespace hearth {

using OptionsVisit = std::function<void(Node& options, const SchemaInfo& schema)>;

// Visits `options` and all options below them, the outer ones first. A component that is only named
// has none to visit; what fits no type is passed over.
void for_each_options(Node& options, const SchemaInfo& schema, const Catalog& catalog,
                      const OptionsVisit& visit);
// The same for a value of a type, such as a component.
void for_each_options(Node& value, const Type& type, const Catalog& catalog,
                      const OptionsVisit& visit);

}  // namespace hearth
