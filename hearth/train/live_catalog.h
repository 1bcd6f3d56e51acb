// The catalog of everything this process knows, components of user code and plugins included.
#pragma once

#include <string>

#include "hearth/config/catalog.h"

namespace hearth {

[[nodiscard]] Catalog live_catalog();

// Loads a plugin and lets it register its components: it exports `extern "C" void
// hearth_register()`. ConfigError when it cannot be loaded.
void load_plugin(const std::string& path);
// Those that a config names under `plugins`; they must be there before it is held against the
// catalog.
void load_plugins(const Node& config);

}  // namespace hearth
