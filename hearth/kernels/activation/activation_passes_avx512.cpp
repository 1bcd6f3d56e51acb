// Passes over values of one expression and of its slope. For processors with AVX-512.
#include "hearth/kernels/activation/activation_passes_lanes.h"
#include "hearth/kernels/lane_math_avx512.h"
#include "hearth/kernels/lanes_avx512.h"

namespace hearth {
namespace {

struct Avx512Passes {
  using Lanes = SixteenLanes;
  template <class Visit>
  static void for_each_group(int64_t size, const Visit& visit) {
    for_each_many_lanes(size, visit);
  }
};

}  // namespace

ActivationPasses activation_passes_avx512() { return passes_of<Avx512Passes>(); }

}  // namespace hearth
