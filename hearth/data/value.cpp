// Memory of values whose size differs from sample to sample.
#include "hearth/data/value.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <string>
#include <utility>

#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {

namespace {

constexpr int64_t kLeastRaggedBytes = 256;

void check_value_shape(std::span<const int64_t> shape, const Spec& spec) {
  const auto fits = [](int64_t length, int64_t expected) {
    return length >= 0 && (expected == kAnyLength || length == expected);
  };
  if (std::equal(shape.begin(), shape.end(), spec.shape.begin(), spec.shape.end(), fits)) return;
  const Spec made{.dtype = spec.dtype, .shape = {shape.begin(), shape.end()}};
  throw DataError("made " + made.text() + ", but the value is " + spec.text() + ".");
}

}  // namespace

RaggedValue::RaggedValue(RaggedValue&& other) noexcept
    : memory_(other.memory_),
      bytes_(std::move(other.bytes_)),
      capacity_(std::exchange(other.capacity_, 0)),
      shape_(other.shape_),
      dimensions_(other.dimensions_) {}

RaggedValue::~RaggedValue() { memory_->held_bytes -= capacity_; }

void RaggedValue::swap(RaggedValue& other) noexcept {
  std::swap(bytes_, other.bytes_);
  std::swap(capacity_, other.capacity_);
  std::swap(shape_, other.shape_);
  std::swap(dimensions_, other.dimensions_);
}

// By doubling: however sizes come, a value is moved to new memory a few times only.
void RaggedValue::grow(int64_t bytes) {
  const int64_t most = memory_->most_bytes_per_value;
  if (bytes > most)
    throw DataError("a value of " + human_bytes(static_cast<uint64_t>(bytes)) +
                    " is beyond the limit of " + human_bytes(static_cast<uint64_t>(most)) +
                    ". Make it smaller, or raise data.value_megabytes.");
  const auto rounded = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(bytes)));
  const int64_t wanted = std::min(most, std::max(rounded, kLeastRaggedBytes));
  bytes_.reset();
  memory_->held_bytes -= std::exchange(capacity_, 0);
  if (memory_->held_bytes > memory_->most_bytes - wanted)
    throw DataError("values whose size differs take " +
                    human_bytes(static_cast<uint64_t>(memory_->held_bytes + wanted)) +
                    ", but data.memory leaves " +
                    human_bytes(static_cast<uint64_t>(memory_->most_bytes)) +
                    " for them. Raise it, or lower data.batch_size or data.depth.");
  bytes_.reset(
      static_cast<std::byte*>(::operator new (static_cast<size_t>(wanted), std::align_val_t{64})));
  capacity_ = wanted;
  memory_->held_bytes += capacity_;
}

std::byte* RaggedValue::take(std::span<const int64_t> shape, const Spec& spec) {
  check_value_shape(shape, spec);
  int64_t bytes = 0;
  if (__builtin_mul_overflow(elements_of(shape), size_of(spec.dtype), &bytes))
    bytes = std::numeric_limits<int64_t>::max();
  dimensions_ = shape.size();
  std::copy(shape.begin(), shape.end(), shape_.begin());
  if (bytes > capacity_ || bytes_ == nullptr) grow(bytes);
  return bytes_.get();
}

View Cell::take(std::span<const int64_t> shape) const {
  if (ragged_ != nullptr)
    (void)ragged_->take(shape, *spec_);
  else
    check_value_shape(shape, *spec_);
  return view();
}

}  // namespace hearth
