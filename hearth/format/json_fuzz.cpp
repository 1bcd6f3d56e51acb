// Fuzzes strict JSON: what it takes must survive being written and read again.
#include <cstdlib>

#include "hearth/base/error.h"
#include "hearth/format/json.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const nlohmann::json json = hearth::parse_json(text, "fuzz");
    if (hearth::parse_json(json.dump(), "again") != json) std::abort();
  } catch (const hearth::DataError&) {
  }
  return 0;
}
