// A loop of nothing but AVX2 multiply-adds.
#include <immintrin.h>

#include "hearth/kernels/peak/peak_loops.h"

namespace hearth {

float peak_loop_avx2(int64_t rounds) {
  const __m256 factor = _mm256_set1_ps(0.5F);
  const __m256 addend = _mm256_set1_ps(0.25F);
  __m256 chains[kPeakChains];
  for (int chain = 0; chain < kPeakChains; ++chain)
    chains[chain] = _mm256_set1_ps(static_cast<float>(chain));
  for (int64_t round = 0; round < rounds; ++round)
#pragma GCC unroll 12
    for (int chain = 0; chain < kPeakChains; ++chain)
      chains[chain] = _mm256_fmadd_ps(chains[chain], factor, addend);
  __m256 sum = chains[0];
  for (int chain = 1; chain < kPeakChains; ++chain) sum = _mm256_add_ps(sum, chains[chain]);
  alignas(64) float values[8];
  _mm256_store_ps(values, sum);
  return values[0];
}

}  // namespace hearth
