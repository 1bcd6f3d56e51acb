// Samples as pictures: each beside what it is and what a network makes of it.
#pragma once

#include <string>

#include <ATen/core/Tensor.h>

#include "hearth/core/spec.h"
#include "hearth/format/image.h"

namespace hearth {

// A batch of a key, on the host; undefined for none.
struct ShownValue {
  at::Tensor values = {};
  Spec spec = {};
};

// GraphError when a key has no pictures that can be drawn.
void check_pictures(const KeySpec& key);

// Images are [B, channels, height, width]. Targets and predictions are drawn by their form: a class
// or scores of classes as text below; a mask [height, width] or its scores [classes, height, width]
// in colours over the picture; boxes [boxes, 4], or 6 with score and class, as frames; other
// pictures beside it.
[[nodiscard]] Image drawn_samples(const ShownValue& image, const ShownValue& target,
                                  const ShownValue& prediction, const std::string& title);

}  // namespace hearth
