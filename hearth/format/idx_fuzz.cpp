// Fuzzes IDX: what it takes must encode to the same bytes.
#include <cstdlib>

#include "hearth/base/error.h"
#include "hearth/format/idx.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    if (hearth::encode_idx(hearth::parse_idx(bytes, "fuzz")) != bytes) std::abort();
  } catch (const hearth::DataError&) {
  }
  return 0;
}
