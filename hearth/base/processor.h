// What the processor can do. The only place that asks it: on others than x86-64 nothing here is so.
#pragma once

namespace hearth {

struct Processor {
  bool is_intel = false;
  bool has_avx2 = false;
  bool has_fma = false;
  bool has_avx512f = false;
  bool has_avx512bw = false;
  bool has_avx512dq = false;
  bool has_avx512vl = false;
  bool has_avx512_bf16 = false;
};

// Of this machine, whatever the environment denies.
[[nodiscard]] const Processor& processor();

}  // namespace hearth
