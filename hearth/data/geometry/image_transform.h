// What happens to the points of an image: the deterministic half of a geometric op. Which transform
// a sample gets is drawn elsewhere; image, mask, boxes and points of a sample get the same one.
#pragma once

#include <cstddef>

#include "hearth/data/image_size.h"
#include "hearth/data/value.h"

namespace hearth {

// A place in an image that reaches from 0 to its width and height; the middle of the first point is
// at (0.5, 0.5).
struct ImagePlace {
  double x = 0;
  double y = 0;
};

// What lies outside of an image has this value in it.
struct OutsideFill {
  double image = 0;
  double mask = 0;
  [[nodiscard]] double of(const Spec& spec) const {
    return spec.role == Role::kMask ? mask : image;
  }
};

class ImageTransform {
 public:
  virtual ~ImageTransform() = default;
  [[nodiscard]] virtual ImageSize size() const = 0;  // of the result
  // Writes the result of an image, or of a mask, which keeps its values: the nearest point's.
  virtual void move_pixels(const View& from, std::byte* to) const = 0;
  // Where a place of the image lies in the result; perhaps outside of it.
  [[nodiscard]] virtual ImagePlace moved(const ImagePlace& place) const = 0;
  // Where lines do not stay straight, a box is followed at this many places of each side.
  [[nodiscard]] virtual int places_of_side() const { return 1; }
};

}  // namespace hearth
