// Non-maximum suppression, on any device and, faster, on the CPU.
#include "hearth/network/boxes/box_suppression.h"

#include <ATen/Parallel.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/minimum.h>

#include <algorithm>

namespace hearth {
namespace {

// How much boxes of two lists share, of what they cover together: [B, N, M].
at::Tensor overlaps(const at::Tensor& one, const at::Tensor& other) {
  const auto left = [&](int64_t side) { return one.select(-1, side).unsqueeze(-1); };
  const auto right = [&](int64_t side) { return other.select(-1, side).unsqueeze(-2); };
  const auto shared = [&](int64_t start, int64_t end) {
    return at::minimum(left(end), right(end))
        .sub(at::maximum(left(start), right(start)))
        .clamp_min(0);
  };
  const auto area = [](const auto& side) {
    return (side(2).sub(side(0))).mul(side(3).sub(side(1)));
  };
  const at::Tensor both = shared(0, 2).mul(shared(1, 3));
  return both.div(area(left).add(area(right)).sub(both));
}

// One box after another, all of a batch at once: nothing has to be known on the host.
at::Tensor kept_on_device(const at::Tensor& boxes, const at::Tensor& classes,
                          const at::Tensor& is_there, double threshold) {
  const at::Tensor rivals = overlaps(boxes, boxes)
                                .gt(threshold)
                                .logical_and(classes.unsqueeze(-1).eq(classes.unsqueeze(-2)));
  at::Tensor kept = is_there;
  for (int64_t i = 0; i + 1 < boxes.size(1); ++i) {
    const int64_t later = boxes.size(1) - i - 1;
    const at::Tensor out =
        rivals.select(1, i).narrow(1, i + 1, later).logical_and(kept.narrow(1, i, 1));
    kept.narrow(1, i + 1, later).logical_and_(out.logical_not());
  }
  return kept;
}

float area_of(const float* box) { return (box[2] - box[0]) * (box[3] - box[1]); }

float overlap_of(const float* one, const float* other) {
  const float width = std::min(one[2], other[2]) - std::max(one[0], other[0]);
  const float height = std::min(one[3], other[3]) - std::max(one[1], other[1]);
  const float both = std::max(width, 0.0F) * std::max(height, 0.0F);
  return both / (area_of(one) + area_of(other) - both);
}

void keep_of_sample(const float* boxes, const int64_t* classes, bool* kept, int64_t count,
                    float threshold) {
  for (int64_t i = 0; i < count; ++i) {
    if (!kept[i]) continue;
    for (int64_t k = i + 1; k < count; ++k)
      if (kept[k] && classes[i] == classes[k] &&
          overlap_of(boxes + 4 * i, boxes + 4 * k) > threshold)
        kept[k] = false;
  }
}

at::Tensor kept_on_host(const at::Tensor& boxes, const at::Tensor& classes,
                        const at::Tensor& is_there, double threshold) {
  const at::Tensor from = boxes.contiguous();
  const at::Tensor of = classes.contiguous();
  at::Tensor kept = is_there.contiguous();
  const int64_t count = from.size(1);
  at::parallel_for(0, from.size(0), 1, [&](int64_t begin, int64_t end) {
    for (int64_t sample = begin; sample < end; ++sample)
      keep_of_sample(from.data_ptr<float>() + sample * count * 4,
                     of.data_ptr<int64_t>() + sample * count,
                     kept.data_ptr<bool>() + sample * count, count, static_cast<float>(threshold));
  });
  return kept;
}

}  // namespace

at::Tensor kept_boxes(Kernels kernels, const at::Tensor& boxes, const at::Tensor& classes,
                      const at::Tensor& is_there, double threshold) {
  const at::Tensor found = is_there.clone();
  const bool is_plain = !kernels.is_fast || !boxes.is_cpu() || boxes.scalar_type() != at::kFloat;
  return is_plain ? kept_on_device(boxes.detach(), classes, found, threshold)
                  : kept_on_host(boxes.detach(), classes, found, threshold);
}

}  // namespace hearth
