// What each format calls the number types, and their numbers as float64.
#include "hearth/format/array_names.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>

namespace hearth {

namespace {

// In the order of the enumeration.
constexpr std::array<ArrayTypeNames, 12> kArrayTypes = {
    {{ArrayType::kBool, "bool", "BOOL", "|b1", "BoolStorage"},
     {ArrayType::kUint8, "uint8", "U8", "|u1", "ByteStorage"},
     {ArrayType::kInt8, "int8", "I8", "|i1", "CharStorage"},
     {ArrayType::kInt16, "int16", "I16", "<i2", "ShortStorage"},
     {ArrayType::kUint16, "uint16", "U16", "<u2", ""},
     {ArrayType::kInt32, "int32", "I32", "<i4", "IntStorage"},
     {ArrayType::kUint32, "uint32", "U32", "<u4", ""},
     {ArrayType::kInt64, "int64", "I64", "<i8", "LongStorage"},
     {ArrayType::kFloat16, "float16", "F16", "<f2", "HalfStorage"},
     {ArrayType::kBFloat16, "bfloat16", "BF16", "", "BFloat16Storage"},
     {ArrayType::kFloat32, "float32", "F32", "<f4", "FloatStorage"},
     {ArrayType::kFloat64, "float64", "F64", "<f8", "DoubleStorage"}}};

template <class Number>
Number number_from(const std::byte* at) {
  Number number{};
  std::memcpy(&number, at, sizeof(number));
  return number;
}

double half_number(uint16_t bits) {
  const int exponent = bits >> 10U & 0x1fU;
  const double fraction = bits & 0x3ffU;
  const double sign = (bits & 0x8000U) != 0 ? -1 : 1;
  if (exponent == 31) return fraction == 0 ? sign * HUGE_VAL : std::nan("");
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(1024 + fraction, exponent - 25);
}

}  // namespace

const ArrayTypeNames& names_of(ArrayType type) { return kArrayTypes[static_cast<size_t>(type)]; }

std::span<const ArrayTypeNames> all_array_types() { return kArrayTypes; }

std::optional<ArrayType> array_type_of_safetensors(std::string_view dtype) {
  for (const ArrayTypeNames& known : kArrayTypes)
    if (known.safetensors == dtype) return known.type;
  return std::nullopt;
}

bool is_real(ArrayType type) {
  return type == ArrayType::kFloat16 || type == ArrayType::kBFloat16 ||
         type == ArrayType::kFloat32 || type == ArrayType::kFloat64;
}

double number_at(ArrayType type, std::span<const std::byte> bytes, uint64_t index) {
  const std::byte* at = bytes.data() + index * size_of(type);
  switch (type) {
    case ArrayType::kBool:
      return number_from<uint8_t>(at) != 0 ? 1 : 0;
    case ArrayType::kUint8:
      return number_from<uint8_t>(at);
    case ArrayType::kInt8:
      return number_from<int8_t>(at);
    case ArrayType::kInt16:
      return number_from<int16_t>(at);
    case ArrayType::kUint16:
      return number_from<uint16_t>(at);
    case ArrayType::kInt32:
      return number_from<int32_t>(at);
    case ArrayType::kUint32:
      return number_from<uint32_t>(at);
    case ArrayType::kInt64:
      return static_cast<double>(number_from<int64_t>(at));
    case ArrayType::kFloat16:
      return half_number(number_from<uint16_t>(at));
    case ArrayType::kBFloat16:
      return std::bit_cast<float>(static_cast<uint32_t>(number_from<uint16_t>(at)) << 16U);
    case ArrayType::kFloat32:
      return number_from<float>(at);
    case ArrayType::kFloat64:
      break;
  }
  return number_from<double>(at);
}

}  // namespace hearth
