// Number types of array files, more than Hearth computes with, and their way into Hearth's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace hearth {

enum class ArrayType : uint8_t {
  kBool,
  kUint8,
  kInt8,
  kInt16,
  kUint16,
  kInt32,
  kUint32,
  kInt64,
  kFloat16,
  kBFloat16,
  kFloat32,
  kFloat64
};
[[nodiscard]] uint64_t size_of(ArrayType type);

// Turns numbers of a file with the other byte order around, in place.
void swap_bytes(std::span<std::byte> numbers, uint64_t size);

}  // namespace hearth
