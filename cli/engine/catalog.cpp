// The catalog with the components of plugins, for commands that only look things up.
#include "cli/engine/engine.h"
#include "hearth/train/live_catalog.h"

namespace hearth::cli {

extern "C" int hearth_command_catalog(const void* given) {
  const auto& arguments = *static_cast<const CatalogArguments*>(given);
  load_plugins_of(arguments);
  *arguments.found = live_catalog();
  return 0;
}

}  // namespace hearth::cli
