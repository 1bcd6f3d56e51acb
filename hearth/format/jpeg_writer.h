// Image to JPEG.
#pragma once

#include <cstdint>
#include <string>

#include "hearth/format/image.h"

namespace hearth {

struct JpegEncoding {
  int quality = 90;  // 1 to 100
  bool is_progressive = false;
  bool has_full_colour = false;  // a colour for each point, not one for each four
};

// Points of 1, 3 or 4 channels, row by row.
struct PointRows {
  int64_t width = 0;
  int64_t height = 0;
  int64_t channels = 0;
  const uint8_t* points = nullptr;
};

// Gray or RGB; alpha is dropped. `into` keeps its memory from one image to the next.
void encode_jpeg_into(const PointRows& image, const JpegEncoding& encoding, std::string& into);
[[nodiscard]] std::string encode_jpeg(const Image& image, const JpegEncoding& encoding = {});

}  // namespace hearth
