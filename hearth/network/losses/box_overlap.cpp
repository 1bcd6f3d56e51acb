// How little boxes overlap.
#include "hearth/network/losses/box_overlap.h"

#include <ATen/ops/atan.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/minimum.h>

#include <numbers>

namespace hearth {
namespace {

constexpr double kLeast = 1e-7;  // boxes may be empty

struct Box {
  at::Tensor left, top, right, bottom;
  [[nodiscard]] at::Tensor width() const { return right.sub(left); }
  [[nodiscard]] at::Tensor height() const { return bottom.sub(top); }
  [[nodiscard]] at::Tensor area() const { return width().mul(height()); }
};

Box box_of(const at::Tensor& boxes) {
  return {boxes.select(-1, 0), boxes.select(-1, 1), boxes.select(-1, 2), boxes.select(-1, 3)};
}

Box shared_box(const Box& one, const Box& other) {
  return {at::maximum(one.left, other.left), at::maximum(one.top, other.top),
          at::minimum(one.right, other.right), at::minimum(one.bottom, other.bottom)};
}

Box box_around(const Box& one, const Box& other) {
  return {at::minimum(one.left, other.left), at::minimum(one.top, other.top),
          at::maximum(one.right, other.right), at::maximum(one.bottom, other.bottom)};
}

// The squared distance of the centers, by that of the corners of the box around both.
at::Tensor center_distance(const Box& one, const Box& other, const Box& around) {
  const auto twice = [](const at::Tensor& from, const at::Tensor& to, const at::Tensor& begin,
                        const at::Tensor& end) { return begin.add(end).sub(from).sub(to); };
  const at::Tensor across = twice(one.left, one.right, other.left, other.right);
  const at::Tensor down = twice(one.top, one.bottom, other.top, other.bottom);
  const at::Tensor diagonal = around.width().square().add(around.height().square()).add(kLeast);
  return across.square().add(down.square()).div(4).div(diagonal);
}

// How much the ratios of the sides differ, weighed as the paper says; the weight has no slope.
at::Tensor shape_distance(const Box& predicted, const Box& truth, const at::Tensor& overlap) {
  const at::Tensor turn = at::atan(truth.width().div(truth.height()))
                              .sub(at::atan(predicted.width().div(predicted.height())));
  const at::Tensor difference = turn.square().mul(4 / (std::numbers::pi * std::numbers::pi));
  const at::Tensor weight =
      difference.div(overlap.neg().add(1).add(difference).add(kLeast)).detach();
  return weight.mul(difference);
}

}  // namespace

at::Tensor box_loss(const std::string& form, const at::Tensor& predicted, const at::Tensor& truth) {
  const Box mine = box_of(predicted);
  const Box wanted = box_of(truth.to(predicted.scalar_type()));
  const Box common = shared_box(mine, wanted);
  const at::Tensor shared = common.width().clamp_min(0).mul(common.height().clamp_min(0));
  const at::Tensor all = mine.area().add(wanted.area()).sub(shared);
  const at::Tensor overlap = shared.div(all.add(kLeast));
  const at::Tensor loss = overlap.neg().add(1);
  if (form == "iou") return loss;
  const Box around = box_around(mine, wanted);
  if (form == "giou") return loss.add(around.area().sub(all).div(around.area().add(kLeast)));
  const at::Tensor with_centers = loss.add(center_distance(mine, wanted, around));
  if (form == "diou") return with_centers;
  return with_centers.add(shape_distance(mine, wanted, overlap));
}

}  // namespace hearth
