// Rows of which some values become zero, by numbers that follow from their places.
#include "hearth/kernels/dropout/drop_rule.h"

namespace hearth {
namespace {

// Every bit of the result hangs on every bit of the value (SplitMix64's last steps).
uint64_t scatter_bits(uint64_t value) {
  value += 0x9E3779B97F4A7C15U;
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9U;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EBU;
  return value ^ (value >> 31);
}

// The same for 32 bits: shifts and two products. The row's second key comes in between, so that two
// rows whose first keys are near each other do not draw the same numbers at shifted places.
uint32_t drawn_number(uint32_t place, uint32_t key) {
  uint32_t x = place ^ (place >> 16);
  x = (x * 0x7FEB352DU) ^ key;
  x ^= x >> 15;
  x *= 0x846CA68BU;
  return x ^ (x >> 16);
}

}  // namespace

uint32_t DropRule::limit() const { return static_cast<uint32_t>(share * 4294967296.0); }

float DropRule::factor() const { return static_cast<float>(1 / (1 - share)); }

uint64_t DropRule::keys(int64_t row) const {
  return scatter_bits(seed ^ scatter_bits(static_cast<uint64_t>(row)));
}

void drop_row(const DropRule& rule, int64_t row, const float* input, float* output, int64_t count) {
  const uint64_t keys = rule.keys(row);
  const auto first = static_cast<uint32_t>(keys);
  const auto key = static_cast<uint32_t>(keys >> 32);
  const uint32_t limit = rule.limit();
  const float factor = rule.factor();
  for (int64_t i = 0; i < count; ++i) {
    const bool is_dropped = drawn_number(first + static_cast<uint32_t>(i), key) < limit;
    output[i] = input[i] * (is_dropped ? 0 : factor);
  }
}

}  // namespace hearth
