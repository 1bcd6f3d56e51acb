// Sizes of images as options give them.
#include "hearth/data/image_size.h"

#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {

Spec resized_spec(Spec spec, const ImageSize& size, const std::string& op, const std::string& key) {
  const bool is_mask = spec.role == Role::kMask && spec.shape.size() >= 2;
  if (!is_image(spec) && !is_mask)
    throw GraphError(op + ": key " + quote(key) +
                     " must be an image, [B, height, width, channels], or a mask, [B, height, "
                     "width], but is " +
                     spec.text() + " and " + std::string(name(spec.role)) + "." +
                     (spec.role == Role::kEncodedImage ? " Put decode before it." : ""));
  spec.shape[0] = size.height;
  spec.shape[1] = size.width;
  return spec;
}

}  // namespace hearth
