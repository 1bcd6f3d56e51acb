// The changes that augmentation policies choose from, and how strong they are: as in torchvision's
// RandAugment, TrivialAugmentWide, AutoAugment and AugMix, on tensors of bytes.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "hearth/core/random.h"
#include "hearth/data/image/pixels.h"

namespace hearth::pixels {

enum class Change : uint8_t {
  kIdentity,
  kShearX,
  kShearY,
  kTranslateX,
  kTranslateY,
  kRotate,
  kBrightness,
  kColor,
  kContrast,
  kSharpness,
  kPosterize,
  kSolarize,
  kAutoContrast,
  kEqualize,
  kInvert
};
[[nodiscard]] std::string_view name(Change change);  // "ShearX", as torchvision has it

// `fill` has a byte for each channel, for what comes into view.
void apply_change(const Pixels& image, Change change, double magnitude,
                  std::span<const uint8_t> fill);

// RandAugment and TrivialAugment draw from these.
inline constexpr std::array kChangesOfRandAugment = {
    Change::kIdentity,     Change::kShearX,    Change::kShearY,     Change::kTranslateX,
    Change::kTranslateY,   Change::kRotate,    Change::kBrightness, Change::kColor,
    Change::kContrast,     Change::kSharpness, Change::kPosterize,  Change::kSolarize,
    Change::kAutoContrast, Change::kEqualize};
// AugMix from these; from those before brightness when told so.
inline constexpr std::array kChangesOfAugMix = {
    Change::kShearX,   Change::kShearY,     Change::kTranslateX, Change::kTranslateY,
    Change::kRotate,   Change::kPosterize,  Change::kSolarize,   Change::kAutoContrast,
    Change::kEqualize, Change::kBrightness, Change::kColor,      Change::kContrast,
    Change::kSharpness};
inline constexpr size_t kPlainChangesOfAugMix = 9;
[[nodiscard]] Change drawn_change(Random& random, std::span<const Change> changes);

// How strong changes may be: from none, or the first of two, to the second, in steps.
struct Strengths {
  double shear = 0.3;
  double degrees = 30;
  double factor = 0.9;         // of brightness, color, contrast and sharpness, to either side of 1
  double translate_share = 0;  // of the image's side
  double translate_pixels = 0;
  int64_t posterize_from = 8;  // bits
  int64_t posterize_to = 4;
};
inline constexpr Strengths kRandAugmentStrengths{.translate_share =
                                                     150.0 / 331.0};  // AutoAugment's too
inline constexpr Strengths kTrivialAugmentStrengths{
    .shear = 0.99, .degrees = 135, .factor = 0.99, .translate_pixels = 32, .posterize_to = 2};
inline constexpr Strengths kAugMixStrengths{
    .translate_share = 1.0 / 3.0, .posterize_from = 4, .posterize_to = 0};

// Step `at` of `count`, from 0.
struct Bin {
  int64_t at = 0;
  int64_t count = 2;  // at least
};

// The magnitude at a step, before its sign; 0 for changes that have none.
[[nodiscard]] double magnitude_of(Change change, const Strengths& strengths, const Bin& bin,
                                  const Pixels& image);
// Whether it goes either way with equal chance.
[[nodiscard]] bool is_signed(Change change);

// Applies what a policy has chosen.
class Augmenter {
 public:
  // One number, or three.
  explicit Augmenter(const std::vector<double>& fill);
  // The sign is drawn, where there is one.
  void apply(Random& random, const Pixels& image, Change change, const Strengths& strengths,
             const Bin& bin) const;

 private:
  std::array<uint8_t, 3> fill_;
};

}  // namespace hearth::pixels
