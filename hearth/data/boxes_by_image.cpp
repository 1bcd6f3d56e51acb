// Boxes and their classes as values of a sample.
#include "hearth/data/boxes_by_image.h"

#include <algorithm>
#include <span>

#include "hearth/base/digest.h"
#include "hearth/data/image_files.h"

namespace hearth {

void BoxesByImage::read(int64_t image, const Cell& boxes, const Cell& labels) const {
  const size_t first = begin(image);
  const auto count = static_cast<int64_t>(end(image) - first);
  if (boxes.is_wanted()) {
    float* to = boxes.take({count, 4}).as<float>().data();
    for (size_t box = first; box < end(image); ++box)
      to = std::copy(boxes_[box].begin(), boxes_[box].end(), to);
  }
  if (labels.is_wanted()) {
    int64_t* to = labels.take({count}).as<int64_t>().data();
    for (size_t box = first; box < end(image); ++box) *to++ = labels_[box];
  }
}

std::string BoxesByImage::digest() const {
  Sha256 digest;
  digest.add(std::as_bytes(std::span(begins_)));
  digest.add(std::as_bytes(std::span(boxes_)));
  digest.add(std::as_bytes(std::span(labels_)));
  return "sha256:" + digest.finish_hex();
}

Spec boxes_spec() {
  Spec boxes{.dtype = DType::kFloat32, .shape = {kAnyLength, 4}};
  boxes.role = Role::kBoxes;
  return boxes;
}

Spec box_classes_spec(const std::vector<std::string>& names) {
  Spec labels = class_spec(names);
  labels.shape = {kAnyLength};
  return labels;
}

}  // namespace hearth
