// What ops on the values of an image ask of it.
#include "hearth/data/pixel_op.h"

#include <algorithm>
#include <cstring>

#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {

namespace {

// "blur: key 'image' must be an image of bytes, ..., but is float32 [B, 8, 8, 1]."
[[noreturn]] void refuse_pixels(const Spec& spec, const std::string& op, const std::string& key,
                                const std::string& wanted, const std::string& hint = "") {
  throw GraphError(op + ": key " + quote(key) + " must be " + wanted + ", but is " + spec.text() +
                   " and " + std::string(name(spec.role)) + "." + hint);
}

bool is_white_255(const Spec& spec) {
  return spec.image_range.value_or(std::pair(0.0, 255.0)) == std::pair(0.0, 255.0);
}

}  // namespace

void check_pixels(const Spec& spec, const std::string& op, const std::string& key,
                  const PixelNeeds& needs) {
  const bool is_bytes = spec.dtype == DType::kUint8;
  const bool is_floats = spec.dtype == DType::kFloat32;
  if (!is_image(spec) || !(is_bytes || (is_floats && needs.takes_floats)))
    refuse_pixels(spec, op, key,
                  std::string("an image of bytes") + (needs.takes_floats ? " or float32" : "") +
                      ", [B, height, width, channels]",
                  spec.role == Role::kEncodedImage ? " Put decode before it."
                  : is_image(spec) && is_floats    ? " Put " + op + " before normalize."
                                                   : "");
  if (is_bytes && !needs.takes_any_white && !is_white_255(spec))
    throw GraphError(op + ": key " + quote(key) + " has black at " +
                     shortest_number(spec.image_range->first) + " and white at " +
                     shortest_number(spec.image_range->second) +
                     ", but this op is for bytes from 0 to 255.");
  const int64_t channels = spec.shape[2];
  if (!needs.takes_any_colors && channels != 1 && channels != 3)
    refuse_pixels(spec, op, key, "an image of 1 or 3 channels",
                  " Let decode make as many, or leave the op out.");
}

void check_fill(const std::vector<double>& fill, const Spec& spec, const std::string& op,
                const std::string& key) {
  if (fill.size() != 1 && static_cast<int64_t>(fill.size()) != spec.shape[2])
    throw GraphError(op + ": fill holds " + std::to_string(fill.size()) + " numbers, but key " +
                     quote(key) + " is " + spec.text() +
                     ". Give one number, or one for each channel.");
  const auto is_no_byte = [](double value) { return !(value >= 0 && value <= 255); };
  const auto wrong = std::find_if(fill.begin(), fill.end(), is_no_byte);
  if (spec.dtype == DType::kUint8 && wrong != fill.end())
    throw GraphError(op + ": fill must lie between 0 and 255 for the bytes of key " + quote(key) +
                     ", but is " + shortest_number(*wrong) + ".");
}

// Mostly both are one place already.
View changed_in_place(const View& input, const Cell& output) {
  const View image = input.spec->is_ragged() ? output.take(input.shape) : output.view();
  if (image.data != input.data)
    std::memcpy(image.data, input.data,
                input.elements() * static_cast<size_t>(size_of(input.spec->dtype)));
  return image;
}

}  // namespace hearth
