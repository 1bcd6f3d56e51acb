// The catalog of everything this process knows, components of user code and plugins included.
#pragma once

#include "hearth/config/catalog.h"

namespace hearth {

[[nodiscard]] Catalog live_catalog();

}  // namespace hearth
