// What the processor can do.
#include "hearth/base/processor.h"

namespace hearth {

namespace {

#if defined(__x86_64__)

Processor this_processor() {
  return {.is_intel = __builtin_cpu_is("intel") != 0,
          .has_avx2 = __builtin_cpu_supports("avx2") != 0,
          .has_fma = __builtin_cpu_supports("fma") != 0,
          .has_avx512f = __builtin_cpu_supports("avx512f") != 0,
          .has_avx512bw = __builtin_cpu_supports("avx512bw") != 0,
          .has_avx512dq = __builtin_cpu_supports("avx512dq") != 0,
          .has_avx512vl = __builtin_cpu_supports("avx512vl") != 0,
          .has_avx512_bf16 = __builtin_cpu_supports("avx512bf16") != 0};
}

#else

Processor this_processor() { return {}; }

#endif

}  // namespace

const Processor& processor() {
  static const Processor found = this_processor();
  return found;
}

}  // namespace hearth
