// Images mixed by shares, summed in floats as torchvision's AugMix does it.
#pragma once

#include <span>

#include "hearth/data/image/pixels.h"

namespace hearth::pixels {

// A thread has one at a time: all use the same memory of the thread.
class Mixture {
 public:
  Mixture(const Pixels& first, double share);
  void add(const Pixels& image, double share);  // of the same size as the first
  void write(const Pixels& to) const;           // without fractions

 private:
  std::span<float> sums_;
};

}  // namespace hearth::pixels
