// An image cut into square windows, and joined again.
#include "hearth/nn/image_windows.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/stack.h>

namespace hearth {
namespace {

constexpr double kUnseenScore = -100;  // torchvision's
constexpr double kDistanceScale = 8;   // the largest distance, of which the logarithm is taken

// What leaves one side comes in at the other; `shift` points up or left.
at::Tensor turned_around(const at::Tensor& points, int64_t axis, int64_t shift) {
  if (shift == 0) return points;
  const int64_t length = points.size(axis);
  const int64_t start = (shift + length) % length;
  return at::cat({points.slice(axis, start, length), points.slice(axis, 0, start)}, axis);
}

}  // namespace

ImageWindows::Side::Side(int64_t own_length, int64_t window, int64_t own_shift)
    : length(own_length),
      windows((own_length + window - 1) / window),
      padded(windows * window),
      shift(windows > 1 ? own_shift : 0) {}

ImageWindows::ImageWindows(const at::Tensor& image, int64_t window, int64_t shift,
                           Windowing windowing)
    : window_(window),
      windowing_(windowing),
      height_(image.size(2), window, windowing == Windowing::kGrid ? 0 : shift),
      width_(image.size(3), window, windowing == Windowing::kGrid ? 0 : shift) {}

at::Tensor ImageWindows::partitioned(const at::Tensor& points) const {
  const int64_t last = points.size(3);
  if (windowing_ == Windowing::kGrid)
    return points.reshape({points.size(0), window_, height_.windows, window_, width_.windows, last})
        .permute({0, 2, 4, 1, 3, 5})
        .reshape({points.size(0) * height_.windows * width_.windows, window_ * window_, last});
  return points.reshape({points.size(0), height_.windows, window_, width_.windows, window_, last})
      .permute({0, 1, 3, 2, 4, 5})
      .reshape({points.size(0) * height_.windows * width_.windows, window_ * window_, last});
}

at::Tensor ImageWindows::cut(const at::Tensor& image) const {
  at::Tensor points = image.permute({0, 2, 3, 1});
  if (height_.padded > height_.length || width_.padded > width_.length)
    points = at::constant_pad_nd(
        points, {0, 0, 0, width_.padded - width_.length, 0, height_.padded - height_.length});
  return partitioned(turned_around(turned_around(points, 1, height_.shift), 2, width_.shift));
}

at::Tensor ImageWindows::joined(const at::Tensor& rows) const {
  const int64_t batch = rows.size(0) / (height_.windows * width_.windows);
  const at::Tensor points =
      rows.reshape({batch, height_.windows, width_.windows, window_, window_, rows.size(2)})
          .permute(windowing_ == Windowing::kGrid ? at::IntArrayRef({0, 3, 1, 4, 2, 5})
                                                  : at::IntArrayRef({0, 1, 3, 2, 4, 5}))
          .reshape({batch, height_.padded, width_.padded, rows.size(2)});
  return turned_around(turned_around(points, 1, -height_.shift), 2, -width_.shift)
      .slice(1, 0, height_.length)
      .slice(2, 0, width_.length)
      .permute({0, 3, 1, 2});
}

// 0 in front of the last window, 1 in it, 2 for what came around; windows apart see nothing of each
// other anyway.
at::Tensor ImageWindows::regions(const Side& side, const at::Tensor& like) const {
  const at::Tensor places = at::arange(side.padded, like.options().dtype(at::kLong));
  return places.ge(side.padded - window_).to(at::kLong) +
         places.ge(side.padded - side.shift).to(at::kLong);
}

at::Tensor ImageWindows::hidden(const at::Tensor& like) const {
  if (height_.shift + width_.shift == 0) return {};
  const at::Tensor numbers =
      regions(height_, like).mul(3).unsqueeze(1) + regions(width_, like).unsqueeze(0);
  const at::Tensor own = partitioned(numbers.view({1, height_.padded, width_.padded, 1}));
  const at::Tensor differs = own.ne(own.transpose(1, 2));
  return differs.to(like.scalar_type()).mul(kUnseenScore).unsqueeze(1);
}

at::Tensor distance_numbers(int64_t window) {
  const at::Tensor places = at::arange(window * window, at::kLong);
  const at::Tensor rows = places.floor_divide(window);
  const at::Tensor columns = places.remainder(window);
  const auto distances = [](const at::Tensor& at) { return at.unsqueeze(1) - at.unsqueeze(0); };
  const int64_t last = window - 1;
  return (distances(rows).add(last).mul(2 * window - 1) + distances(columns).add(last)).flatten();
}

at::Tensor scaled_distances(int64_t window) {
  const auto far = static_cast<double>(window - 1);
  const int64_t count = 2 * window - 1;
  const at::Tensor steps = at::arange(1 - window, window, at::kFloat).div(far).mul(kDistanceScale);
  const at::Tensor scaled = steps.sign() * steps.abs().add(1).log2().div(3);
  return at::stack({scaled.unsqueeze(1).expand({count, count}),
                    scaled.unsqueeze(0).expand({count, count})},
                   2)
      .unsqueeze(0);
}

}  // namespace hearth
