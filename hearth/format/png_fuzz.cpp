// Fuzzes PNG in all three forms, and what is done with a picture next.
#include <cstdlib>

#include "hearth/base/error.h"
#include "hearth/format/png.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const int64_t channels : {1, 3, 4}) {
    try {
      const hearth::Image image = hearth::decode_png(bytes, channels, "fuzz", {.pixels = 1 << 16});
      (void)hearth::resize(image, 5, 7);
      if (hearth::decode_png(hearth::encode_png(image), channels, "again") != image) std::abort();
    } catch (const hearth::DataError&) {
    }
  }
  return 0;
}
