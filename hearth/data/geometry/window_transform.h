// A window of an image, perhaps mirrored: crops, padding, shifts and flips. Every point keeps its
// value.
#pragma once

#include "hearth/data/geometry/image_transform.h"
#include "hearth/format/image_resample.h"
#include "hearth/format/picture_part.h"

namespace hearth {

struct ImageWindow {
  int64_t top = 0;  // may lie outside of the image, as may the other sides
  int64_t left = 0;
  ImageSize size;
};

// Where the middle starts, of what is left over on both sides; of two middles the even one, as
// torchvision has it.
[[nodiscard]] int64_t middle_start(int64_t left_over);

class WindowTransform : public ImageTransform {
 public:
  struct Mirrored {
    bool across = false;  // left and right change places
    bool down = false;    // top and bottom
  };
  explicit WindowTransform(const ImageWindow& window, const OutsideFill& fill = {})
      : window_(window), fill_(fill) {}
  WindowTransform(const ImageWindow& window, const Mirrored& mirrored)
      : window_(window), mirrored_(mirrored) {}

  [[nodiscard]] ImageSize size() const override { return window_.size; }
  void move_pixels(const View& from, std::byte* to) const override;
  [[nodiscard]] ImagePlace moved(const ImagePlace& place) const override;

  // See reading_op.h.
  static constexpr bool kNeverShrinks = true;
  [[nodiscard]] ImageRegion needed(const ImageSize& image) const;
  [[nodiscard]] int64_t most_shrink() const { return 1; }
  [[nodiscard]] WindowTransform on_part(const PicturePart& part) const;

 private:
  ImageWindow window_;
  Mirrored mirrored_;
  OutsideFill fill_;
};

}  // namespace hearth
