// The most this machine computes in a second, measured.
#pragma once

namespace hearth {

// Float32 operations a second, in thousands of millions, of all LibTorch's threads together; a
// multiply-add counts as two. 0 on a processor without AVX2 and FMA. Takes about 0.1 s.
[[nodiscard]] double measured_peak_gigaflops();

}  // namespace hearth
