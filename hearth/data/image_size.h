// Sizes of images as options give them: `size: 32` or `size: [32, 48]`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hearth/core/spec.h"

namespace hearth {

struct ImageSize {
  int64_t height = 0;
  int64_t width = 0;
};

// One number is height and width.
[[nodiscard]] inline ImageSize image_size(const std::vector<int64_t>& size) {
  return {size.front(), size.back()};
}

// The spec of an image or a mask at another size; GraphError, with the op's name, when the key is
// neither.
[[nodiscard]] Spec resized_spec(Spec spec, const ImageSize& size, const std::string& op,
                                const std::string& key);

}  // namespace hearth
