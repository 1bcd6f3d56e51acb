// Fuzzes JPEG in all three forms, its header alone and parts of it.
#include <cstdlib>
#include <vector>

#include "hearth/base/error.h"
#include "hearth/format/jpeg.h"

namespace {

constexpr hearth::JpegLimits kFuzzLimits = {
    .pixels = 1 << 16, .scans = 20, .memory_bytes = 64 << 20};

// A window inside of the whole has the same points, or is refused as the whole is.
void read_part(std::string_view bytes, const hearth::PictureSize& size, int64_t shrink) {
  const int64_t height = (size.height + shrink - 1) / shrink;
  const int64_t width = (size.width + shrink - 1) / shrink;
  const hearth::PicturePart part{{height / 3, width / 3, {(height + 2) / 3, (width + 2) / 3}},
                                 shrink};
  std::vector<uint8_t> memory;
  (void)hearth::decode_jpeg_part(
      bytes, 3, part, "fuzz",
      [&](int64_t rows, int64_t columns) {
        memory.resize(static_cast<size_t>(rows * columns * 3));
        return memory.data();
      },
      kFuzzLimits);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const int64_t channels : {1, 3, 4}) {
    try {
      const hearth::PictureSize whole = hearth::jpeg_size(bytes, "fuzz", kFuzzLimits);
      for (const int64_t shrink : {1, 2, 8}) read_part(bytes, whole, shrink);
      const hearth::Image image = hearth::decode_jpeg(bytes, channels, "fuzz", kFuzzLimits);
      if (image.height != whole.height || image.width != whole.width) std::abort();
    } catch (const hearth::DataError&) {
    }
  }
  return 0;
}
