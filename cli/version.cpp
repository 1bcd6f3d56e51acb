// Which Hearth this is, and how it was built.
#include "cli/version.h"

namespace hearth::cli {

std::string version_text() {
  return "hearth " HEARTH_VERSION "\n  build     " HEARTH_BUILD_TYPE
         "\n  compiler  " HEARTH_COMPILER "\n  LibTorch  " HEARTH_TORCH_VERSION "\n";
}

}  // namespace hearth::cli
