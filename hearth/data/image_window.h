// A window of an image, and what becomes of images, masks, boxes and points in it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hearth/data/image_size.h"
#include "hearth/data/value.h"

namespace hearth {

struct ImageWindow {
  int64_t top = 0;  // may lie outside of the image, as may the other sides
  int64_t left = 0;
  ImageSize size;
};

// The spec of a key in a window of `size`, by its role; GraphError for a role that has no place in
// an image.
[[nodiscard]] Spec window_spec(const Spec& spec, const ImageSize& size, const std::string& op,
                               const std::string& key);

// The same for all keys of an op.
[[nodiscard]] std::vector<Spec> window_specs(const std::vector<Spec>& specs, const ImageSize& size,
                                             const std::string& op,
                                             const std::vector<std::string>& keys);
// GraphError unless an op's first key is the image that says where windows lie.
void require_image(const Spec& spec, const std::string& op, const std::string& key);

// What lies outside of an image has the value `fill` in it. Boxes are cut off at the window's
// sides.
void cut_window(const View& value, const ImageWindow& window, double fill, const Cell& to);

}  // namespace hearth
