// Batch memory: aligned slots that are counted, lent and taken back.
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
  EpochLayout layout{.epoch = epoch, .plan = std::move(plan), .field_offsets = {}, .bytes = 0};
  for (const BatchField& field : layout.plan->fields) {
    layout.field_offsets.push_back(layout.bytes);
    layout.bytes = add_batch_field(layout.bytes, field.row_bytes, batch_size);
  }
  return layout;
}

HostBatch::HostBatch(const HostBatch& other) : slot_(other.slot_) {
  if (slot_ != nullptr) slot_->references.fetch_add(1, std::memory_order_relaxed);
}

HostBatch& HostBatch::operator=(HostBatch other) noexcept {
  std::swap(slot_, other.slot_);
  return *this;
}

HostBatch::~HostBatch() {
  if (slot_ == nullptr || slot_->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  const std::shared_ptr<SlotPool> home = std::move(slot_->home);
  home->give_back(slot_);
}

std::byte* HostBatch::data(int slot) const {
  const int field = plan().field_of_slot.at(static_cast<size_t>(slot));
  if (field < 0) return nullptr;
  return slot_->memory.get() + slot_->layout->field_offsets[static_cast<size_t>(field)];
}

const Spec& HostBatch::spec(int slot) const {
  const int field = plan().field_of_slot.at(static_cast<size_t>(slot));
  if (field < 0)
    throw InternalError("batch: slot " + std::to_string(slot) + " is not part of the batch.");
  return plan().fields[static_cast<size_t>(field)].spec;
}

std::unique_ptr<BatchSlot> SlotPool::take_or_make() {
  const std::lock_guard lock(mutex_);
  if (!free_.empty()) {
    auto slot = std::move(free_.back());
    free_.pop_back();
    return slot;
  }
  if (existing_ >= planned_) ++overflow_count_;
  ++existing_;
  return std::make_unique<BatchSlot>();
}

BatchSlot* SlotPool::acquire(std::shared_ptr<const EpochLayout> layout, int64_t index,
                             int64_t rows) {
  auto slot = take_or_make();
  if (slot->capacity < layout->bytes || slot->memory == nullptr) {
    slot->memory.reset();
    slot->memory.reset(static_cast<std::byte*>(
        ::operator new(static_cast<size_t>(std::max<int64_t>(layout->bytes, 1)), kSlotAlignment)));
    slot->capacity = layout->bytes;
  }
  slot->layout = std::move(layout);
  slot->index = index;
  slot->samples.resize(static_cast<size_t>(rows));
  slot->replacements.clear();
  slot->references.store(1, std::memory_order_relaxed);
  slot->home = shared_from_this();
  return slot.release();
}

void SlotPool::give_back(BatchSlot* slot) {
  std::unique_ptr<BatchSlot> returned(slot);
  returned->layout.reset();
  const std::lock_guard lock(mutex_);
  if (existing_ > planned_) {
    --existing_;
    return;
  }
  free_.push_back(std::move(returned));
}

void SlotPool::close() {
  const std::lock_guard lock(mutex_);
  existing_ -= static_cast<int>(free_.size());
  free_.clear();
  planned_ = 0;
}

int64_t SlotPool::overflow_count() const {
  const std::lock_guard lock(mutex_);
  return overflow_count_;
}

}  // namespace hearth
