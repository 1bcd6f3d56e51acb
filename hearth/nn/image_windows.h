// An image cut into square windows, moved by some points or not, and joined again.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace hearth {

// Which points of an image belong together: neighbours, or those as far apart as all windows of
// neighbours are.
enum class Windowing : uint8_t { kNeighbours, kGrid };

// Zeros fill the last windows up. Moving goes around the border: what comes from the other side
// may not be seen from this one.
class ImageWindows {
 public:
  // Of images [B, C, H, W] as large as this one. A side that has one window is not moved; nor is a
  // grid.
  ImageWindows(const at::Tensor& image, int64_t window, int64_t shift,
               Windowing windowing = Windowing::kNeighbours);

  // [B * windows, window * window, C].
  [[nodiscard]] at::Tensor cut(const at::Tensor& image) const;
  // The image again, from such rows, without what was filled up; channels-last.
  [[nodiscard]] at::Tensor joined(const at::Tensor& rows) const;
  // [windows, 1, places, places] to add to scores: far below zero between points that are
  // neighbours by going around only; undefined when nothing is moved.
  [[nodiscard]] at::Tensor hidden(const at::Tensor& like) const;

 private:
  struct Side {
    Side(int64_t length, int64_t window, int64_t shift);
    int64_t length;
    int64_t windows;
    int64_t padded;
    int64_t shift;
  };
  [[nodiscard]] at::Tensor regions(const Side& side, const at::Tensor& like) const;
  // [B, H, W, X] as [B * windows, window * window, X].
  [[nodiscard]] at::Tensor partitioned(const at::Tensor& points) const;

  int64_t window_;
  Windowing windowing_;
  Side height_;
  Side width_;
};

// For every pair of a window's places, the number of their distance: [window^4], below
// (2 window - 1)^2.
[[nodiscard]] at::Tensor distance_numbers(int64_t window);
// Every distance, down and right, on a logarithmic scale: [1, 2 window - 1, 2 window - 1, 2].
[[nodiscard]] at::Tensor scaled_distances(int64_t window);

}  // namespace hearth
