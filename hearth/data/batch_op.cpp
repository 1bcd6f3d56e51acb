// Views of whole batches.
#include "hearth/data/batch_op.h"

#include <algorithm>
#include <array>

#include "hearth/base/error.h"

namespace hearth {

BatchView::BatchView(std::byte* data, std::span<const int64_t> shape, const Spec& spec,
                     int64_t rows)
    : data_(data),
      shape_(shape),
      spec_(&spec),
      rows_(rows),
      row_bytes_(elements_of(shape) * size_of(spec.dtype)) {}

View BatchView::row(int64_t row) const {
  if (ragged_ == nullptr) return {data_ + row * row_bytes_, spec_, shape_};
  const RaggedValue& value = ragged_[row];
  return {value.data(), spec_, value.shape()};
}

BatchView BatchCell::take(std::span<const int64_t> row_shape) const {
  if (whole_ == nullptr) {
    if (!std::equal(row_shape.begin(), row_shape.end(), spec_->shape.begin(), spec_->shape.end()))
      throw DataError("a batch op made rows of another shape than " + spec_->text() + ".");
    return view();
  }
  std::array<int64_t, kMostDimensions> shape{room_};
  std::copy(row_shape.begin(), row_shape.end(), shape.begin() + 1);
  std::byte* data = whole_->take(std::span(shape).first(row_shape.size() + 1), *whole_spec_);
  return {data, whole_->shape().subspan(1), *spec_, rows_};
}

}  // namespace hearth
