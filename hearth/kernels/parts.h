// Rows cut into as many parts as threads sum over them: sums of parts, added in the order of the
// parts, are the same in every run with one number of threads.
#pragma once

#include <ATen/Parallel.h>

#include <cstdint>

namespace hearth {

// Calls visit(part, first row, rows) for every part, in parallel.
template <class Visit>
void for_parts(int64_t rows, int64_t parts, const Visit& visit) {
  at::parallel_for(0, parts, 1, [&](int64_t from, int64_t to) {
    for (int64_t part = from; part < to; ++part) {
      const int64_t first = rows * part / parts;
      visit(part, first, rows * (part + 1) / parts - first);
    }
  });
}

}  // namespace hearth
