// Which Hearth this is, and how it was built.
#include "cli/version.h"

namespace hearth::cli {

std::vector<std::pair<std::string, std::string>> version_facts() {
  return {{"hearth", HEARTH_VERSION},
          {"build", HEARTH_BUILD_TYPE},
          {"compiler", HEARTH_COMPILER},
          {"LibTorch", HEARTH_TORCH_VERSION}};
}

}  // namespace hearth::cli
