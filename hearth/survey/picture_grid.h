// Pictures of several samples side by side, with their boxes.
#pragma once

#include <span>
#include <vector>

#include "hearth/data/value.h"
#include "hearth/format/image.h"

namespace hearth {

class PictureGrid {
 public:
  // The first key that is an image is shown; boxes are drawn into it. Nothing without an image.
  PictureGrid(const std::vector<KeySpec>& keys, int64_t samples);

  void add(std::span<const View> values);  // a value for each of the keys
  [[nodiscard]] const Image& image() const { return image_; }

 private:
  void put(const Image& picture, int64_t cell);

  size_t image_key_;  // as many as there are keys: none
  size_t boxes_key_;
  int64_t columns_ = 0;
  int64_t next_ = 0;
  Image image_;
};

}  // namespace hearth
