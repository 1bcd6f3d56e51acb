// Batch memory: aligned buffers that are counted, lent and taken back.
#include "hearth/data/host_batch.h"

#include <algorithm>
#include <utility>

#include "hearth/base/error.h"

namespace hearth {

namespace {

int64_t add_batch_field(int64_t offset, int64_t row_bytes, int64_t batch_size) {
  int64_t bytes = 0;
  int64_t end = 0;
  if (__builtin_mul_overflow(row_bytes, batch_size, &bytes) ||
      __builtin_add_overflow(offset, bytes, &end) || end > (int64_t{1} << 62))
    throw ConfigError("batch_size " + std::to_string(batch_size) + " times " +
                      std::to_string(row_bytes) + " bytes a sample is beyond 64 bits.");
  return (end + 63) / 64 * 64;
}

}  // namespace

EpochLayout EpochLayout::make(int64_t epoch, std::shared_ptr<const DataPlan> plan,
                              int64_t batch_size) {
  EpochLayout layout{.epoch = epoch, .plan = std::move(plan), .batch_size = batch_size};
  for (const BatchField& field : layout.plan->fields) {
    layout.field_offsets.push_back(layout.bytes);
    layout.bytes = add_batch_field(layout.bytes, field.row_bytes, batch_size);
  }
  return layout;
}

HostBatch::HostBatch(const HostBatch& other) : buffer_(other.buffer_) {
  if (buffer_ != nullptr) buffer_->references.fetch_add(1, std::memory_order_relaxed);
}

HostBatch& HostBatch::operator=(HostBatch other) noexcept {
  std::swap(buffer_, other.buffer_);
  return *this;
}

HostBatch::~HostBatch() {
  if (buffer_ == nullptr || buffer_->references.fetch_sub(1, std::memory_order_acq_rel) != 1)
    return;
  const std::shared_ptr<BufferPool> home = std::move(buffer_->home);
  home->give_back(buffer_);
}

std::byte* BatchBuffer::data(const ValuePlace& place) {
  const auto at = static_cast<size_t>(place.at);
  if (place.kind == ValuePlace::Kind::kRow) return memory.get() + layout->field_offsets[at];
  return place.kind == ValuePlace::Kind::kWhole ? wholes[at].data() : nullptr;
}

const BatchField& HostBatch::field(int value) const {
  const int field = plan().field_of_value.at(static_cast<size_t>(value));
  if (field < 0)
    throw InternalError("batch: value " + std::to_string(value) + " is not part of the batch.");
  return plan().fields[static_cast<size_t>(field)];
}

std::byte* HostBatch::data(int value) const {
  if (plan().field_of_value.at(static_cast<size_t>(value)) < 0) return nullptr;
  return buffer_->data(field(value).place);
}

const Spec& HostBatch::spec(int value) const { return field(value).spec; }

std::span<const int64_t> HostBatch::shape(int value) const {
  const BatchField& known = field(value);
  if (known.place.kind != ValuePlace::Kind::kWhole) return known.spec.shape;
  return buffer_->wholes[static_cast<size_t>(known.place.at)].shape().subspan(1);
}

View HostBatch::row(int value, int64_t row) const {
  const BatchField& known = field(value);
  if (known.place.kind == ValuePlace::Kind::kRaggedRow) {
    const RaggedValue& own = buffer_->ragged_row(static_cast<size_t>(known.place.at), row);
    return {own.data(), &known.spec, own.shape()};
  }
  return BatchView(data(value), shape(value), known.spec, rows()).row(row);
}

std::unique_ptr<BatchBuffer> BufferPool::take_or_make() {
  const std::lock_guard lock(mutex_);
  if (!free_.empty()) {
    auto buffer = std::move(free_.back());
    free_.pop_back();
    return buffer;
  }
  if (existing_ >= expected_) ++overflow_count_;
  ++existing_;
  return std::make_unique<BatchBuffer>();
}

BatchBuffer* BufferPool::acquire(std::shared_ptr<const EpochLayout> layout, int64_t index,
                                 int64_t real, int64_t rows) {
  auto buffer = take_or_make();
  if (buffer->capacity < layout->bytes || buffer->memory == nullptr) {
    buffer->memory.reset();
    buffer->memory.reset(static_cast<std::byte*>(::operator new(
        static_cast<size_t>(std::max<int64_t>(layout->bytes, 1)), kBufferAlignment)));
    buffer->capacity = layout->bytes;
  }
  const auto ragged_rows = static_cast<size_t>(layout->plan->ragged_columns * layout->batch_size);
  while (buffer->ragged_rows.size() < ragged_rows) buffer->ragged_rows.emplace_back(ragged_memory_);
  while (buffer->wholes.size() < static_cast<size_t>(layout->plan->whole_values))
    buffer->wholes.emplace_back(ragged_memory_);
  buffer->layout = std::move(layout);
  buffer->index = index;
  buffer->first_row = 0;
  buffer->made_rows = real;
  buffer->counts_nothing = false;
  buffer->samples.resize(static_cast<size_t>(real));
  buffer->rows = rows;
  buffer->replacements.clear();
  buffer->references.store(1, std::memory_order_relaxed);
  buffer->home = shared_from_this();
  return buffer.release();
}

void BufferPool::give_back(BatchBuffer* buffer) {
  std::unique_ptr<BatchBuffer> returned(buffer);
  returned->layout.reset();
  const std::lock_guard lock(mutex_);
  if (existing_ > expected_) {
    --existing_;
    return;
  }
  free_.push_back(std::move(returned));
}

void BufferPool::close() {
  const std::lock_guard lock(mutex_);
  existing_ -= static_cast<int>(free_.size());
  free_.clear();
  expected_ = 0;
}

int64_t BufferPool::overflow_count() const {
  const std::lock_guard lock(mutex_);
  return overflow_count_;
}

}  // namespace hearth
