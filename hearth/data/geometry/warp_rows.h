// Values of an image at places between its points.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "hearth/data/geometry/image_transform.h"

namespace hearth {

struct WarpStyle {
  bool is_bilinear = true;  // otherwise the nearest point; masks always take that
  OutsideFill fill = {};
};

// A row of the result from the places of the image where its points lie. Bytes are within 1 of
// exact interpolation; points beyond the image's sides have the fill's value.
void warp_row(const View& from, std::span<const ImagePlace> places, const WarpStyle& style,
              std::byte* to);

// All rows of the result; `find(y, places)` says where the points of row y lie.
template <class Find>
void warp_rows(const View& from, const ImageSize& size, const WarpStyle& style, const Find& find,
               std::byte* to) {
  thread_local std::vector<ImagePlace> places;
  places.resize(static_cast<size_t>(size.width));
  const int64_t row = size.width * elements_of(from.shape.subspan(2)) * size_of(from.spec->dtype);
  for (int64_t y = 0; y < size.height; ++y, to += row) {
    find(y, std::span(places));
    warp_row(from, places, style, to);
  }
}

}  // namespace hearth
