// What each format calls the number types, and their numbers as float64.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "hearth/format/array_type.h"

namespace hearth {

struct ArrayTypeNames {
  ArrayType type;
  std::string_view name;         // "float32", as Hearth, NumPy and PyTorch say
  std::string_view safetensors;  // "F32"
  std::string_view npy;          // "<f4"; empty when NumPy has none
  std::string_view storage;      // "FloatStorage"; empty when PyTorch has none
};

[[nodiscard]] const ArrayTypeNames& names_of(ArrayType type);
[[nodiscard]] std::span<const ArrayTypeNames> all_array_types();
[[nodiscard]] inline std::string name_of(ArrayType type) {
  return std::string(names_of(type).name);
}
[[nodiscard]] std::optional<ArrayType> array_type_of_safetensors(std::string_view dtype);
[[nodiscard]] bool is_real(ArrayType type);  // a floating-point one

// The number with this place among the bytes; exact but for whole numbers beyond 2^53.
[[nodiscard]] double number_at(ArrayType type, std::span<const std::byte> bytes, uint64_t index);

}  // namespace hearth
