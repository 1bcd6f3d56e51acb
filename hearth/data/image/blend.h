// Two values mixed to a byte, as torchvision mixes images of bytes: in floats, cut off to 0..255,
// fractions dropped.
#pragma once

#include <cstdint>

namespace hearth {

// A float cut off to 0..255, without its fraction.
[[nodiscard]] inline uint8_t byte_of(float value) {
  const float low = value > 0.0F ? value : 0.0F;
  const float cut = low < 255.0F ? low : 255.0F;
  return static_cast<uint8_t>(static_cast<int32_t>(cut));
}

// ratio * value + (1 - ratio) * other: above 1 it leads away from `other`.
class Blend {
 public:
  explicit Blend(double ratio)
      : ratio_(static_cast<float>(ratio)), rest_(static_cast<float>(1.0 - ratio)) {}
  [[nodiscard]] uint8_t operator()(float value, float other) const {
    return byte_of(ratio_ * value + rest_ * other);
  }

 private:
  float ratio_;
  float rest_;
};

}  // namespace hearth
