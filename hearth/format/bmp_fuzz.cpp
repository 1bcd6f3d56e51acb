// Fuzzes BMP in all three forms.
#include <vector>

#include "hearth/base/error.h"
#include "hearth/format/bmp.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const int64_t channels : {1, 3, 4}) {
    try {
      std::vector<uint8_t> memory;
      const auto place = [&](int64_t height, int64_t width) {
        memory.resize(static_cast<size_t>(height * width * channels));
        return memory.data();
      };
      hearth::decode_bmp_into(bytes, channels, "fuzz", place, {.pixels = 1 << 16});
    } catch (const hearth::DataError&) {
    }
  }
  return 0;
}
