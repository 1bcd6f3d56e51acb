// Values filled up to a larger shape, dimension by dimension.
#include "hearth/data/padding.h"

#include <algorithm>
#include <cstring>

#include "hearth/base/error.h"

namespace hearth {

namespace {

template <class T>
void fill_as(double number, int64_t count, std::byte* to) {
  std::fill_n(reinterpret_cast<T*>(to), count, static_cast<T>(number));
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
