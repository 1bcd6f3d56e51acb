// Loops of nothing but multiply-adds, for measuring what a core can do at most.
#pragma once

#include <cstdint>

namespace hearth {

// A loop's operations a round; a multiply-add counts as two.
constexpr int64_t kPeakChains = 12;  // that do not wait for each other
constexpr int64_t kPeakOperationsAvx2 = kPeakChains * 8 * 2;
constexpr int64_t kPeakOperationsAvx512 = kPeakChains * 16 * 2;

// Each gives a number that depends on all it did, so that none of it can be left out.
float peak_loop_avx2(int64_t rounds);
float peak_loop_avx512(int64_t rounds);

}  // namespace hearth
