// Passes over values of one expression and of its slope. For processors with AVX2.
#include "hearth/kernels/activation/activation_passes_lanes.h"
#include "hearth/kernels/lane_math_avx2.h"
#include "hearth/kernels/lanes_avx2.h"

namespace hearth {
namespace {

struct Avx2Passes {
  using Lanes = EightLanes;
  template <class Visit>
  static void for_each_group(int64_t size, const Visit& visit) {
    hearth::for_each_group(size, visit);
  }
};

}  // namespace

ActivationPasses activation_passes_avx2() { return passes_of<Avx2Passes>(); }

}  // namespace hearth
