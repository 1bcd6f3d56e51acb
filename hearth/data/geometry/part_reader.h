// Reading only that part of an image file that an op after it looks at.
#pragma once

#include <cstdint>

#include "hearth/data/image_size.h"
#include "hearth/data/value.h"
#include "hearth/format/image_resample.h"
#include "hearth/format/picture_part.h"

namespace hearth {

// What an op that makes images of their files can do besides.
class PartReader {
 public:
  struct Part {
    View image;         // in memory of this thread, until its next call
    PicturePart place;  // which points of the image these are
  };

  virtual ~PartReader() = default;
  [[nodiscard]] virtual const Spec& image_spec() const = 0;
  // Whether it ever makes a part smaller.
  [[nodiscard]] virtual bool may_shrink() const = 0;
  // Of the image, from the head of its file.
  [[nodiscard]] virtual ImageSize size_of(const View& file) const = 0;
  // A part that holds `region`, perhaps made smaller by up to `most_shrink`.
  [[nodiscard]] virtual Part read(const View& file, const ImageRegion& region,
                                  int64_t most_shrink) const = 0;
};

}  // namespace hearth
