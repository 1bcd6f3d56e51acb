// How much memory this process may use.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace hearth {

// The machine's memory, its control group's limit or what `ulimit -v` leaves, whichever is least.
[[nodiscard]] uint64_t available_memory();

// Sums and products of bytes; the most that 64 bits can count where they are more.
[[nodiscard]] inline uint64_t counted_sum(uint64_t left, uint64_t right) {
  return __builtin_add_overflow(left, right, &left) ? UINT64_MAX : left;
}

[[nodiscard]] inline uint64_t counted_product(uint64_t left, uint64_t right) {
  return __builtin_mul_overflow(left, right, &left) ? UINT64_MAX : left;
}

// What this process takes now, and what it took at most; zeros where the system does not tell.
struct ProcessMemory {
  uint64_t resident_bytes = 0;
  uint64_t peak_bytes = 0;
};
[[nodiscard]] ProcessMemory process_memory();

// The limit in a memory.max of a control group, "1073741824"; nothing for "max".
[[nodiscard]] std::optional<uint64_t> bytes_in_memory_max(std::string_view text);

}  // namespace hearth
