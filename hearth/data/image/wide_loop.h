// For functions whose loops the compiler shall turn into vector instructions: compiled for every
// processor and once more for those with AVX2. Without FMA, so both give the same bits. Sanitizers
// cannot stand functions that are chosen while the program is loaded.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define HEARTH_WIDE_LOOP [[gnu::target_clones("avx2", "default"), gnu::optimize("O3")]]
#else
#define HEARTH_WIDE_LOOP
#endif
