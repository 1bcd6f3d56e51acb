// One axis of a depthwise convolution: which places of a source meet in each place of a target.
// For internal use by convolution_depthwise.cpp.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace hearth {

// A place of the source, and the place of the window that it is multiplied by.
struct AxisTap {
  int64_t source;
  int64_t kernel;
};

struct WindowAxis {
  int64_t input;   // places of the image
  int64_t output;  // places of the window
  int64_t kernel;
  int64_t stride;
  int64_t padding;
  int64_t dilation;
};

class DepthwiseAxis {
 public:
  // From the image to the places of the window.
  static DepthwiseAxis forward(const WindowAxis& axis);
  // From there back to the image. With a stride of one it is a forward axis of another padding,
  // whose window is turned around.
  static DepthwiseAxis backward(const WindowAxis& axis);

  [[nodiscard]] const std::vector<AxisTap>& taps(int64_t target) const {
    return taps_[static_cast<size_t>(target)];
  }
  [[nodiscard]] int64_t targets() const { return static_cast<int64_t>(taps_.size()); }
  // Targets [first, second) that see the whole window, one stride after the other.
  [[nodiscard]] const std::pair<int64_t, int64_t>& whole() const { return whole_; }

 private:
  std::vector<std::vector<AxisTap>> taps_;
  std::pair<int64_t, int64_t> whole_ = {0, 0};
};

}  // namespace hearth
