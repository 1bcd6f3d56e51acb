// Fuzzes YAML: what it takes must read back equal from its own writing.
#include "hearth/config/yaml.h"

#include <cstdlib>

#include "hearth/base/error.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const hearth::Node node = hearth::parse_yaml(text, "fuzz");
    try {
      if (!(hearth::parse_yaml(hearth::to_yaml(node), "again") == node)) std::abort();
    } catch (const hearth::Error&) {
      std::abort();  // it was taken once
    }
  } catch (const hearth::ConfigError&) {
  }
  return 0;
}
