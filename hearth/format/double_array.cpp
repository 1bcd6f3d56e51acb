// A unit holds the byte that leads to it, the way to its children, and whether a text ends there:
// the unit at label 0 then holds the text's number.
#include "hearth/format/double_array.h"

namespace hearth {

namespace {

uint32_t label_of(uint32_t unit) { return unit & (1U << 31 | 0xFFU); }
bool has_leaf(uint32_t unit) { return (unit >> 8 & 1U) != 0; }
uint32_t value_of(uint32_t unit) { return unit & ((1U << 31) - 1); }
uint32_t offset_of(uint32_t unit) { return (unit >> 10) << ((unit & (1U << 9)) >> 6); }

}  // namespace

DoubleArray::DoubleArray(std::string_view bytes) : units_(bytes.size() / sizeof(uint32_t)) {
  for (size_t i = 0; i < units_.size() * sizeof(uint32_t); ++i)
    units_[i / 4] |= static_cast<uint32_t>(static_cast<unsigned char>(bytes[i])) << i % 4 * 8;
}

DoubleArray::Match DoubleArray::longest_prefix(std::string_view text) const {
  Match longest;
  if (units_.empty()) return longest;
  uint32_t at = offset_of(units_[0]);
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    at ^= byte;
    if (at >= units_.size() || label_of(units_[at]) != byte) return longest;
    const uint32_t unit = units_[at];
    at ^= offset_of(unit);
    if (!has_leaf(unit)) continue;
    if (at >= units_.size()) return longest;
    longest = {i + 1, value_of(units_[at])};
  }
  return longest;
}

}  // namespace hearth
