// Number types of array files.
#include "hearth/format/array_type.h"

#include <algorithm>

namespace hearth {

uint64_t size_of(ArrayType type) {
  switch (type) {
    case ArrayType::kBool:
    case ArrayType::kUint8:
    case ArrayType::kInt8:
      return 1;
    case ArrayType::kInt16:
    case ArrayType::kUint16:
    case ArrayType::kFloat16:
    case ArrayType::kBFloat16:
      return 2;
    case ArrayType::kInt32:
    case ArrayType::kUint32:
    case ArrayType::kFloat32:
      return 4;
    case ArrayType::kInt64:
    case ArrayType::kFloat64:
      break;
  }
  return 8;
}

void swap_bytes(std::span<std::byte> numbers, uint64_t size) {
  for (size_t at = 0; at + size <= numbers.size(); at += size)
    std::reverse(numbers.begin() + static_cast<std::ptrdiff_t>(at),
                 numbers.begin() + static_cast<std::ptrdiff_t>(at + size));
}

}  // namespace hearth
