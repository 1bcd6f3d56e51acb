// Fuzzes a picture of whichever format: the size in the header is that of the pixels.
#include <cstdlib>

#include "hearth/base/error.h"
#include "hearth/format/picture.h"
#include "hearth/format/picture_turn.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  (void)hearth::picture_turn(bytes);
  try {
    const hearth::PictureSize whole = hearth::picture_size(bytes, "fuzz");
    if (whole.height * whole.width > 1 << 16) return 0;
    const hearth::Image image = hearth::decode_picture(bytes, 3, "fuzz");
    if (image.height != whole.height || image.width != whole.width) std::abort();
  } catch (const hearth::DataError&) {
  }
  return 0;
}
