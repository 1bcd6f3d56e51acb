// Libraries with components of a user's own: loading them, remembering which, copying them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "hearth/config/node.h"

namespace hearth {

// Loads what the config, with these overrides, names under `plugins`, and lets each register its
// components: it exports `extern "C" void hearth_register()`. This comes before the config is held
// against the catalog. ConfigError at the entry of one that cannot be loaded.
void load_plugins(Node config, const std::vector<std::string>& overrides = {});

struct LoadedPlugin {
  std::filesystem::path path;
  std::string sha256;
};
// Those of this process.
[[nodiscard]] std::vector<LoadedPlugin> loaded_plugins();

// Copies the plugins of an effective config to `folder`/plugins, and names the copies in it,
// relative to a config file in `folder`.
[[nodiscard]] Node with_copied_plugins(Node config, const std::filesystem::path& folder);

}  // namespace hearth
