// Libraries with components of a user's own: loading them, remembering which, copying them.
#include "hearth/train/plugins.h"

#include <dlfcn.h>

#include <map>
#include <mutex>

#include "hearth/base/digest.h"
#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/text.h"
#include "hearth/config/merge.h"
#include "hearth/config/path.h"
#include "hearth/config/place.h"
#include "hearth/experiment/options.h"
#include "hearth/train/live_catalog.h"

namespace hearth {
namespace {

constexpr const char* kPluginFolder = "plugins";

// A library that is loaded stays loaded: this list is as long-lived as the process.
struct PluginList {
  std::mutex mutex;
  std::map<fs::path, std::string> digests;
};

PluginList& plugin_list() {
  static PluginList list;
  return list;
}

void load_plugin(const fs::path& path) {
  if (path.empty()) throw ConfigError("must name a library, such as libmine.so, but is empty.");
  if (!fs::exists(path))
    throw ConfigError("there is no file " + quote(path.string()) +
                      ". A path in a config is relative to that file.");
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr)
    throw ConfigError("cannot load " + quote(path.string()) + ": " + dlerror() + ".");
  auto* register_all = reinterpret_cast<void (*)()>(dlsym(library, "hearth_register"));
  if (register_all == nullptr)
    throw ConfigError(quote(path.string()) +
                      " has no hearth_register(). Write extern \"C\" void hearth_register() that "
                      "adds your components to their registries.");
  register_all();
  PluginList& list = plugin_list();
  const std::lock_guard lock(list.mutex);
  list.digests[path] = sha256_hex(read_file(path));
}

// Only what is under `plugins`: the rest may use components that no one knows yet.
Node named_plugins(const Node& config, const std::vector<std::string>& overrides) {
  Node named = Node::map({}, config.mark());
  if (const Node* plugins = config.find("plugins")) named.set("plugins", *plugins);
  const SchemaInfo& schema = ExperimentOptions::schema().info();
  for (const std::string& text : overrides)
    if (text.starts_with("plugins")) named = apply_override(named, text, schema, live_catalog());
  return with_option_paths(std::move(named));
}

// A name that another plugin of the folder has already gets a number.
fs::path free_name(const fs::path& folder, const fs::path& name) {
  fs::path target = folder / name;
  for (int number = 2; fs::exists(target); ++number)
    target = folder / (std::to_string(number) + "-" + name.string());
  return target;
}

}  // namespace

void load_plugins(Node config, const std::vector<std::string>& overrides) {
  config = named_plugins(config, overrides);
  const Node* plugins = config.find("plugins");
  if (plugins == nullptr || plugins->is_null()) return;
  const std::vector<Node> one = {*plugins};
  for (const Node& plugin : plugins->is_list() ? plugins->items() : one)
    at_place(plugin.mark(), [&] {
      (void)TypeOf<std::string>::read(plugin);
      load_plugin(absolute_path(plugin));
    });
}

std::vector<LoadedPlugin> loaded_plugins() {
  PluginList& list = plugin_list();
  const std::lock_guard lock(list.mutex);
  std::vector<LoadedPlugin> plugins;
  for (const auto& [path, digest] : list.digests) plugins.push_back({path, digest});
  return plugins;
}

Node with_copied_plugins(Node config, const fs::path& folder) {
  Node* plugins = config.find("plugins");
  if (plugins == nullptr || plugins->items().empty()) return config;
  const fs::path own = folder / kPluginFolder;
  make_folder(own);
  for (Node& plugin : plugins->items()) {
    const fs::path copy = free_name(own, fs::path(plugin.text()).filename());
    write_file_durably(copy, read_file(plugin.text()));
    plugin = Node::scalar((kPluginFolder / copy.filename()).string());
  }
  return config;
}

}  // namespace hearth
