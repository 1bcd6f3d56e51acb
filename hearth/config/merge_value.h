// One value laid over another, with its type at hand.
#pragma once

#include "hearth/config/catalog.h"

namespace hearth {

[[nodiscard]] Node merge_value(const Node& base, const Node& over, const Type& type,
                               const Catalog& catalog);

}  // namespace hearth
