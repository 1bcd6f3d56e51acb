// e to the power of eight floats, within two units in the last place. For processors with AVX2;
// only for files that are compiled for them.
#pragma once

#include "hearth/kernels/exp_lanes.h"
#include "hearth/kernels/lane_math_avx2.h"

namespace hearth {
namespace {

[[gnu::always_inline]] inline __m256 exp_avx2(__m256 x) { return exp_lanes<EightLanes>(x); }

}  // namespace
}  // namespace hearth
