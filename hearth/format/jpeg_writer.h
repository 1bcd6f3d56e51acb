// Image to JPEG.
#pragma once

#include <string>

#include "hearth/format/image.h"

namespace hearth {

struct JpegEncoding {
  int quality = 90;  // 1 to 100
  bool is_progressive = false;
  bool has_full_colour = false;  // a colour for each point, not one for each four
};

// Gray or RGB; alpha is dropped.
[[nodiscard]] std::string encode_jpeg(const Image& image, const JpegEncoding& encoding = {});

}  // namespace hearth
