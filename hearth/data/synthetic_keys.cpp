// Made-up values of any spec.
#include "hearth/data/synthetic_keys.h"

#include <limits>

namespace hearth {

namespace {

template <class T>
void draw_whole_numbers(Random& random, const Cell& cell, int64_t most) {
  if (cell.spec().classes > 0) most = cell.spec().classes - 1;
  for (T& value : cell.as<T>()) value = static_cast<T>(random.between(0, most));
}

template <class T>
void draw_numbers(Random& random, const Cell& cell) {
  const bool is_picture = cell.spec().role == Role::kImage;
  for (T& value : cell.as<T>())
    value = static_cast<T>(is_picture ? random.uniform() : random.normal());
}

}  // namespace

const Schema<SyntheticKey>& SyntheticKey::schema() {
  using O = SyntheticKey;
  static const auto schema =
      Schema<O>()
          .field(&O::dtype, "dtype", "The type of its numbers.",
                 one_of({"float32", "float64", "int64", "int32", "uint8", "bool"}))
          .field(&O::shape, "shape", "Its shape, such as [8]; left out: a single number.",
                 at_least(1))
          .field(&O::classes, "classes", "Class numbers below this; 0: any numbers.", at_least(0))
          .field(&O::role, "role",
                 "What it is; `auto`: a class when it has classes, else plain numbers.",
                 one_of({"auto", "plain", "image", "mask", "tokens", "class"}));
  return schema;
}

Spec SyntheticKey::spec() const {
  Spec spec{.dtype = *dtype_from(dtype), .shape = shape, .classes = classes};
  spec.role = role == "auto" ? (classes > 0 ? Role::kClass : Role::kPlain) : *role_from(role);
  if (spec.role == Role::kImage)
    spec.image_range = {0.0, spec.dtype == DType::kUint8 ? 255.0 : 1.0};
  return spec;
}

void draw_value(Random& random, const Cell& cell) {
  switch (cell.spec().dtype) {
    case DType::kFloat64:
      return draw_numbers<double>(random, cell);
    case DType::kInt64:
      return draw_whole_numbers<int64_t>(random, cell, std::numeric_limits<int32_t>::max());
    case DType::kInt32:
      return draw_whole_numbers<int32_t>(random, cell, std::numeric_limits<int32_t>::max());
    case DType::kUint8:
      return draw_whole_numbers<uint8_t>(random, cell, 255);
    case DType::kBool:
      return draw_whole_numbers<uint8_t>(random, cell, 1);
    default:
      return draw_numbers<float>(random, cell);
  }
}

}  // namespace hearth
