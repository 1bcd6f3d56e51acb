// The most this machine computes in a second, measured.
#include "hearth/kernels/peak/peak.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <atomic>

#include "hearth/base/clock.h"
#include "hearth/base/processor.h"
#include "hearth/kernels/kernels.h"
#include "hearth/kernels/peak/peak_loops.h"

namespace hearth {
namespace {

constexpr int64_t kPeakRounds = 400'000;  // about 2 ms
constexpr int kPeakAttempts = 20;         // the best counts: others may use the machine too

double peak_of(float (*loop)(int64_t), int64_t operations) {
  const int64_t threads = at::get_num_threads();
  std::atomic<float> last{0};
  double best = 0;
  for (int attempt = 0; attempt < kPeakAttempts; ++attempt) {
    const Stopwatch watch;
    at::parallel_for(0, threads, 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) last = loop(kPeakRounds);
    });
    const auto work = static_cast<double>(threads * kPeakRounds * operations);
    best = std::max(best, work / watch.seconds() * 1e-9);
  }
  return best;
}

}  // namespace

double measured_peak_gigaflops() {
  if (!has_vector_unit()) return 0;
  const double peak = peak_of(peak_loop_avx2, kPeakOperationsAvx2);
  if (!processor().has_avx512f) return peak;
  return std::max(peak, peak_of(peak_loop_avx512, kPeakOperationsAvx512));
}

}  // namespace hearth
