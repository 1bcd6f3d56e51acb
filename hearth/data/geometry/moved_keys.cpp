// Images, masks, boxes, points and what hangs on boxes, moved by one transform.
#include "hearth/data/geometry/moved_keys.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/data/geometry/box_outline.h"

namespace hearth {

namespace {

// Of the sample at hand; memory that grows and is kept.
thread_local std::vector<PlacedBox> placed_boxes;
thread_local std::vector<size_t> kept_boxes;

bool is_places(const Spec& spec) { return spec.role == Role::kBoxes || spec.role == Role::kPoints; }

std::string image_size_text(const ImageSize& size) {
  return std::to_string(size.height) + " x " + std::to_string(size.width);
}

void write_boxes(const View& boxes, const Cell& to) {
  std::array<int64_t, 2> shape{static_cast<int64_t>(kept_boxes.size()), 4};
  float* out = (boxes.spec->is_ragged() ? to.take(shape) : to.view()).as<float>().data();
  for (const size_t kept : kept_boxes) {
    const PlacedBox& box = placed_boxes[kept];
    for (const double side : {box.left, box.top, box.right, box.bottom})
      *out++ = static_cast<float>(side);
  }
}

void write_points(const ImageTransform& transform, const View& points, const Cell& to) {
  const auto from = points.as<float>();
  const auto out = to.take(points.shape).as<float>();
  for (size_t i = 0; i + 1 < from.size(); i += 2) {
    const ImagePlace place = transform.moved({from[i], from[i + 1]});
    out[i] = static_cast<float>(place.x);
    out[i + 1] = static_cast<float>(place.y);
  }
}

void write_pixels(const ImageTransform& transform, const View& from, const Cell& to) {
  std::array<int64_t, kMostDimensions> shape{};
  std::copy(from.shape.begin(), from.shape.end(), shape.begin());
  shape[0] = transform.size().height;
  shape[1] = transform.size().width;
  transform.move_pixels(from, to.take(std::span(shape).first(from.shape.size())).data);
}

// The rows of the boxes that remain.
void write_box_rows(const View& rows, const Cell& to) {
  std::array<int64_t, kMostDimensions> shape{};
  std::copy(rows.shape.begin(), rows.shape.end(), shape.begin());
  shape[0] = static_cast<int64_t>(kept_boxes.size());
  const auto row =
      static_cast<size_t>(elements_of(rows.shape.subspan(1)) * size_of(rows.spec->dtype));
  std::byte* out = to.take(std::span(shape).first(rows.shape.size())).data;
  for (const size_t kept : kept_boxes) {
    std::memcpy(out, rows.data + kept * row, row);
    out += row;
  }
}

}  // namespace

MovedKeys::MovedKeys(std::string op, std::vector<std::string> keys,
                     std::vector<std::string> box_keys, const BoxRules& rules)
    : op_(std::move(op)), all_(std::move(keys)), image_keys_(all_.size()), rules_(rules) {
  for (std::string& key : box_keys) all_.push_back(std::move(key));
}

ImageSize MovedKeys::size_of(const std::vector<Spec>& inputs) const {
  const Spec& spec = inputs.at(0);
  if (inputs.size() == 1) (void)resized_spec(spec, {1, 1}, op_, all_[0]);
  if (inputs.size() > 1 && !is_image(spec))
    throw GraphError(op_ + ": the first key must be the image, [B, height, width, channels], but " +
                     quote(all_[0]) + " is " + spec.text() + " and " +
                     std::string(name(spec.role)) + "." +
                     (spec.role == Role::kEncodedImage ? " Put decode before it." : ""));
  return {spec.shape[0], spec.shape[1]};
}

bool MovedKeys::goes_with_boxes(size_t key, const Spec& spec) const {
  return key >= image_keys_ ||
         (spec.role == Role::kClass && !spec.shape.empty() && spec.shape[0] == kAnyLength);
}

// It must be clear which boxes its rows belong to, and that rows may go.
Spec MovedKeys::box_row_spec(size_t key, const std::vector<Spec>& inputs) const {
  const auto is_boxes = [](const Spec& spec) { return spec.role == Role::kBoxes; };
  const auto boxes = std::count_if(inputs.begin(), inputs.end(), is_boxes);
  if (boxes != 1)
    throw GraphError(op_ + ": key " + quote(all_[key]) + " has a row for each box, but there are " +
                     std::to_string(boxes) + " keys of boxes in keys: " + join(all_, ", ") +
                     ". Give it one.");
  const Spec& spec = inputs[key];
  if (spec.shape.empty() || spec.shape[0] != kAnyLength)
    throw GraphError(op_ + ": key " + quote(all_[key]) +
                     " must have a row for each box, [B, ?, ...], but is " + spec.text() + ".");
  return spec;
}

Spec MovedKeys::place_spec(size_t key, const Spec& spec) const {
  const int64_t numbers = spec.role == Role::kBoxes ? 4 : 2;
  if (spec.dtype != DType::kFloat32 || spec.shape.empty() || spec.shape.back() != numbers ||
      (numbers == 4 && spec.shape.size() != 2))
    throw GraphError(op_ + ": key " + quote(all_[key]) + " holds " + std::string(name(spec.role)) +
                     " and must be float32 [B, ..., " + std::to_string(numbers) + "], but is " +
                     spec.text() + ".");
  if (numbers == 4 && !spec.is_ragged() && (rules_.min_area > 0 || rules_.min_visible > 0))
    throw GraphError(op_ + ": key " + quote(all_[key]) + " holds " + std::to_string(spec.shape[0]) +
                     " boxes in every sample, so that none can be dropped. Leave out min_area and "
                     "min_visible, or put it before the op that fills boxes up.");
  return spec;
}

std::vector<Spec> MovedKeys::specs(const std::vector<Spec>& inputs, const ImageSize& size) const {
  std::vector<Spec> made;
  for (size_t key = 0; key < inputs.size(); ++key) {
    if (goes_with_boxes(key, inputs[key]))
      made.push_back(box_row_spec(key, inputs));
    else if (is_places(inputs[key]))
      made.push_back(place_spec(key, inputs[key]));
    else
      made.push_back(resized_spec(inputs[key], size, op_, all_[key]));
  }
  return made;
}

void MovedKeys::check_fill(const std::vector<Spec>& inputs, const OutsideFill& fill) const {
  for (size_t key = 0; key < inputs.size(); ++key) {
    const Spec& spec = inputs[key];
    if (spec.role != Role::kImage && spec.role != Role::kMask) continue;
    const bool is_mask = spec.role == Role::kMask;
    const double value = is_mask ? fill.mask : fill.image;
    const bool is_byte = spec.dtype == DType::kUint8 || spec.dtype == DType::kBool;
    const double least = is_byte ? 0 : -2147483648.0, most = is_byte ? 255 : 2147483647.0;
    if (is_floating(spec.dtype) || (value >= least && value <= most)) continue;
    throw GraphError(op_ + ": " + (is_mask ? "mask_fill" : "fill") + " must lie between " +
                     shortest_number(least) + " and " + shortest_number(most) + " for the " +
                     std::string(name(spec.dtype)) + " key " + quote(all_[key]) + ", but is " +
                     shortest_number(value) + ".");
  }
}

ImageSize MovedKeys::size_of(std::span<const View> inputs) const {
  const ImageSize size{inputs[0].shape[0], inputs[0].shape[1]};
  if (inputs[0].elements() == 0) throw DataError("the image has no points.");
  for (size_t key = 1; key < image_keys_; ++key) {
    const View& input = inputs[key];
    if (is_places(*input.spec) || goes_with_boxes(key, *input.spec)) continue;
    const ImageSize other{input.shape[0], input.shape[1]};
    if (other.height != size.height || other.width != size.width)
      throw DataError("key " + quote(all_[key]) + " is " + image_size_text(other) +
                      ", but the image is " + image_size_text(size) +
                      "; they must have the same size.");
  }
  return size;
}

void MovedKeys::keep_boxes(const ImageTransform& transform, const View& boxes) const {
  const size_t count = boxes.elements() / 4;
  placed_boxes.resize(count);
  kept_boxes.clear();
  for (size_t i = 0; i < count; ++i) {
    const MovedBox moved = moved_box(transform, boxes.as<float>().data() + 4 * i);
    const PlacedBox& visible = placed_boxes[i] = moved.visible;
    const bool remains = visible.has_points() && visible.area() >= rules_.min_area &&
                         visible.area() >= rules_.min_visible * moved.whole.area();
    if (remains || !boxes.spec->is_ragged()) kept_boxes.push_back(i);
  }
}

void MovedKeys::move(const ImageTransform& transform, std::span<const View> inputs,
                     std::span<const Cell> outputs) const {
  size_t boxes = 0;
  for (size_t key = 0; key < inputs.size(); ++key) {
    const Role role = inputs[key].spec->role;
    if (goes_with_boxes(key, *inputs[key].spec)) continue;
    if (role == Role::kBoxes) {
      keep_boxes(transform, inputs[key]);
      write_boxes(inputs[key], outputs[key]);
      boxes = key;
    } else if (role == Role::kPoints) {
      write_points(transform, inputs[key], outputs[key]);
    } else {
      write_pixels(transform, inputs[key], outputs[key]);
    }
  }
  for (size_t key = 0; key < inputs.size(); ++key) {
    if (!goes_with_boxes(key, *inputs[key].spec)) continue;
    if (inputs[key].shape[0] != inputs[boxes].shape[0])
      throw DataError("key " + quote(all_[key]) + " has " + std::to_string(inputs[key].shape[0]) +
                      " rows, but there are " + std::to_string(inputs[boxes].shape[0]) +
                      " boxes; it must have one for each.");
    write_box_rows(inputs[key], outputs[key]);
  }
}

}  // namespace hearth
