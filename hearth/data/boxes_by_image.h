// What sources of boxes have in memory: the boxes of each image, one after the other.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "hearth/core/spec.h"
#include "hearth/data/value.h"

namespace hearth {

using Box = std::array<float, 4>;  // left, top, right, bottom

class BoxesByImage {
 public:
  // Boxes that follow belong to the next image.
  void begin_image() { begins_.push_back(boxes_.size()); }
  void add(const Box& box, int64_t label) {
    boxes_.push_back(box);
    labels_.push_back(static_cast<int32_t>(label));
  }
  [[nodiscard]] int64_t images() const { return static_cast<int64_t>(begins_.size()); }
  // The numbers of an image's boxes: from begin to end.
  [[nodiscard]] size_t begin(int64_t image) const { return begins_[static_cast<size_t>(image)]; }
  [[nodiscard]] size_t end(int64_t image) const {
    return image + 1 < images() ? begin(image + 1) : boxes_.size();
  }
  [[nodiscard]] int64_t label(size_t box) const { return labels_[box]; }

  [[nodiscard]] uint64_t resident_bytes() const {
    return begins_.capacity() * sizeof(size_t) + boxes_.capacity() * sizeof(Box) +
           labels_.capacity() * sizeof(int32_t);
  }

  // To keys of boxes [?, 4] and of their classes [?].
  void read(int64_t image, const Cell& boxes, const Cell& labels) const;
  [[nodiscard]] std::string digest() const;

 private:
  std::vector<size_t> begins_;
  std::vector<Box> boxes_;
  std::vector<int32_t> labels_;
};

[[nodiscard]] Spec boxes_spec();
[[nodiscard]] Spec box_classes_spec(const std::vector<std::string>& names);

}  // namespace hearth
