// Changes by name, and the strengths of each.
#include "hearth/data/image/augment.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "hearth/base/error.h"
#include "hearth/data/image/affine_nearest.h"
#include "hearth/data/image/color.h"
#include "hearth/data/image/filter.h"
#include "hearth/data/image/tone.h"

namespace hearth::pixels {

namespace {

constexpr std::array<std::string_view, 15> kNames = {
    "Identity",  "ShearX",     "ShearY",       "TranslateX", "TranslateY",
    "Rotate",    "Brightness", "Color",        "Contrast",   "Sharpness",
    "Posterize", "Solarize",   "AutoContrast", "Equalize",   "Invert"};

// torch.linspace in floats: the upper half is counted from the end.
double even_step(double start, double end, const Bin& bin) {
  const auto from = static_cast<float>(start);
  const auto to = static_cast<float>(end);
  const float step = (to - from) / static_cast<float>(bin.count - 1);
  if (bin.at < bin.count / 2) return from + step * static_cast<float>(bin.at);
  return to - step * static_cast<float>(bin.count - 1 - bin.at);
}

double bits_at(const Strengths& strengths, const Bin& bin) {
  const auto lost = static_cast<double>(strengths.posterize_from - strengths.posterize_to);
  const auto each = static_cast<float>(static_cast<double>(bin.count - 1) / lost);
  return static_cast<double>(strengths.posterize_from) -
         std::nearbyint(static_cast<float>(bin.at) / each);
}

double longest_way(const Strengths& strengths, int64_t side) {
  return strengths.translate_share * static_cast<double>(side) + strengths.translate_pixels;
}

// Those that move pixels.
InverseMap map_of(const Pixels& image, Change change, double magnitude) {
  switch (change) {
    case Change::kShearX:
      return shear_x(image, magnitude);
    case Change::kShearY:
      return shear_y(image, magnitude);
    case Change::kTranslateX:
      return translation(std::trunc(magnitude), 0);
    case Change::kTranslateY:
      return translation(0, std::trunc(magnitude));
    case Change::kRotate:
      return rotation(magnitude);
    default:
      throw InternalError("augment: " + std::string(name(change)) + " moves no pixels.");
  }
}

}  // namespace

std::string_view name(Change change) { return kNames[static_cast<size_t>(change)]; }

void apply_change(const Pixels& image, Change change, double magnitude,
                  std::span<const uint8_t> fill) {
  switch (change) {
    case Change::kIdentity:
      return;
    case Change::kBrightness:
      return adjust_brightness(image, 1.0 + magnitude);
    case Change::kColor:
      return adjust_saturation(image, 1.0 + magnitude);
    case Change::kContrast:
      return adjust_contrast(image, 1.0 + magnitude);
    case Change::kSharpness:
      return adjust_sharpness(image, 1.0 + magnitude);
    case Change::kPosterize:
      return posterize(image, static_cast<int64_t>(magnitude));
    case Change::kSolarize:
      return solarize(image, magnitude);
    case Change::kAutoContrast:
      return autocontrast(image);
    case Change::kEqualize:
      return equalize(image);
    case Change::kInvert:
      return invert(image);
    default:
      return affine_nearest(image, map_of(image, change, magnitude), fill);
  }
}

double magnitude_of(Change change, const Strengths& strengths, const Bin& bin,
                    const Pixels& image) {
  switch (change) {
    case Change::kShearX:
    case Change::kShearY:
      return even_step(0, strengths.shear, bin);
    case Change::kTranslateX:
      return even_step(0, longest_way(strengths, image.width), bin);
    case Change::kTranslateY:
      return even_step(0, longest_way(strengths, image.height), bin);
    case Change::kRotate:
      return even_step(0, strengths.degrees, bin);
    case Change::kBrightness:
    case Change::kColor:
    case Change::kContrast:
    case Change::kSharpness:
      return even_step(0, strengths.factor, bin);
    case Change::kPosterize:
      return bits_at(strengths, bin);
    case Change::kSolarize:
      return even_step(255, 0, bin);
    default:
      return 0;
  }
}

Change drawn_change(Random& random, std::span<const Change> changes) {
  return changes[random.below(static_cast<uint32_t>(changes.size()))];
}

bool is_signed(Change change) { return change >= Change::kShearX && change <= Change::kSharpness; }

Augmenter::Augmenter(const std::vector<double>& fill) {
  for (size_t c = 0; c < fill_.size(); ++c)
    fill_[c] = static_cast<uint8_t>(std::nearbyint(fill[std::min(c, fill.size() - 1)]));
}

void Augmenter::apply(Random& random, const Pixels& image, Change change,
                      const Strengths& strengths, const Bin& bin) const {
  const double magnitude = magnitude_of(change, strengths, bin, image);
  const bool is_negative = is_signed(change) && random.below(2) == 1;
  apply_change(image, change, is_negative ? -magnitude : magnitude, fill_);
}

}  // namespace hearth::pixels
