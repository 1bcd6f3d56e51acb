// Values filled up to a larger shape, dimension by dimension.
#include "hearth/data/padding.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {

namespace {

template <class T>
void fill_as(double number, int64_t count, std::byte* to) {
  std::fill_n(reinterpret_cast<T*>(to), count, static_cast<T>(number));
}

struct WholeRange {
  int64_t least = 0;
  int64_t most = 0;
};

WholeRange whole_range(const Spec& spec) {
  constexpr int64_t kExact = int64_t{1} << 53;  // up to here a double is every whole number
  WholeRange range{-kExact, kExact};
  if (spec.dtype == DType::kBool) range = {0, 1};
  if (spec.dtype == DType::kUint8) range = {0, 255};
  if (spec.dtype == DType::kInt32)
    range = {std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()};
  if (spec.classes > 0 && spec.role == Role::kTokens) range = {0, spec.classes - 1};
  return range;
}

struct PaddedPart {
  const std::byte* from;
  std::span<const int64_t> from_shape;
  std::span<const int64_t> to_shape;
  DType dtype;
  double fill;

  [[nodiscard]] int64_t copied() const { return std::min(from_shape[0], to_shape[0]); }
  void run(std::byte* to) const;
};

void PaddedPart::run(std::byte* to) const {
  const int64_t element = size_of(dtype);
  if (to_shape.empty()) {
    std::memcpy(to, from, static_cast<size_t>(element));
    return;
  }
  const int64_t inner = elements_of(to_shape.subspan(1));
  const int64_t inner_from = elements_of(from_shape.subspan(1));
  if (std::ranges::equal(from_shape.subspan(1), to_shape.subspan(1))) {
    std::memcpy(to, from, static_cast<size_t>(copied() * inner * element));
  } else {
    for (int64_t i = 0; i < copied(); ++i)
      PaddedPart{from + i * inner_from * element, from_shape.subspan(1), to_shape.subspan(1), dtype,
                 fill}
          .run(to + i * inner * element);
  }
  fill_with(dtype, fill, (to_shape[0] - copied()) * inner, to + copied() * inner * element);
}

}  // namespace

void check_fill(const std::string& op, const std::string& key, const Spec& spec, double fill) {
  if (is_floating(spec.dtype)) return;
  const auto [least, most] = whole_range(spec);
  if (fill == std::floor(fill) && fill >= static_cast<double>(least) &&
      fill <= static_cast<double>(most))
    return;
  throw GraphError(op + ": fill must be a whole number from " + std::to_string(least) + " to " +
                   std::to_string(most) + " for key " + quote(key) + ", " + spec.text() +
                   ", but is " + shortest_number(fill) + ".");
}

void fill_with(DType dtype, double number, int64_t count, std::byte* to) {
  switch (dtype) {
    case DType::kBool:
    case DType::kUint8:
      return fill_as<uint8_t>(number, count, to);
    case DType::kInt32:
      return fill_as<int32_t>(number, count, to);
    case DType::kInt64:
      return fill_as<int64_t>(number, count, to);
    case DType::kFloat32:
      return fill_as<float>(number, count, to);
    case DType::kFloat64:
      return fill_as<double>(number, count, to);
    case DType::kFloat16:
    case DType::kBFloat16:
      break;
  }
  throw InternalError("fill_with: no numbers of " + std::string(name(dtype)) + " on the host.");
}

void pad_into(const View& value, std::span<const int64_t> shape, double fill, std::byte* to) {
  PaddedPart{value.data, value.shape, shape, value.spec->dtype, fill}.run(to);
}

}  // namespace hearth
