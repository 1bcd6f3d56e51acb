// A batch in host memory, and the pool its memory comes from and returns to.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <span>
#include <string>
#include <vector>

#include "hearth/data/data_plan.h"

namespace hearth {

// A sample that could not be read or processed, and the one that stands in for it.
struct Replacement {
  int64_t row = 0;
  int64_t sample = 0;
  int64_t substitute = 0;
  std::string reason;
};

// One epoch's plan with the layout of its batches: where each field starts within a slot.
struct EpochLayout {
  int64_t epoch = 0;
  std::shared_ptr<const DataPlan> plan;
  std::vector<int64_t> field_offsets;
  int64_t bytes = 0;
  [[nodiscard]] static EpochLayout make(int64_t epoch, std::shared_ptr<const DataPlan> plan,
                                        int64_t batch_size);
};

inline constexpr std::align_val_t kSlotAlignment{64};
struct SlotMemoryDelete {
  void operator()(std::byte* memory) const { ::operator delete(memory, kSlotAlignment); }
};

class SlotPool;

// The memory of one batch. It is filled by workers, then lent out as HostBatch.
struct BatchSlot {
  std::unique_ptr<std::byte, SlotMemoryDelete> memory;
  int64_t capacity = 0;
  std::shared_ptr<const EpochLayout> layout;
  int64_t index = 0;
  std::vector<int64_t> samples;
  std::vector<Replacement> replacements;
  std::atomic<int> references{0};
  std::shared_ptr<SlotPool> home;  // set while it is lent, so that the pool outlives its loader
};

// A shared handle of a batch: copies share the memory, which returns to the pool with the last one.
class HostBatch {
 public:
  HostBatch() = default;
  explicit HostBatch(BatchSlot* slot) : slot_(slot) {}  // takes over one reference
  HostBatch(const HostBatch& other);
  HostBatch(HostBatch&& other) noexcept : slot_(std::exchange(other.slot_, nullptr)) {}
  HostBatch& operator=(HostBatch other) noexcept;
  ~HostBatch();

  [[nodiscard]] bool is_empty() const { return slot_ == nullptr; }
  [[nodiscard]] int64_t epoch() const { return slot_->layout->epoch; }
  [[nodiscard]] int64_t index() const { return slot_->index; }  // within the epoch
  [[nodiscard]] int64_t rows() const { return static_cast<int64_t>(slot_->samples.size()); }
  [[nodiscard]] std::span<const int64_t> samples() const { return slot_->samples; }
  // In the order of their rows; empty unless `on_error: replace` had work to do.
  [[nodiscard]] std::span<const Replacement> replacements() const { return slot_->replacements; }

  [[nodiscard]] const DataPlan& plan() const { return *slot_->layout->plan; }
  // By the plan's slot number: rows() times spec(slot).bytes() bytes, or null when the value is not
  // part of the batch.
  [[nodiscard]] std::byte* data(int slot) const;
  [[nodiscard]] const Spec& spec(int slot) const;

 private:
  BatchSlot* slot_ = nullptr;
};

// A bounded number of slots. When all of them are lent, a further one is made, counted, and freed
// on return: whoever keeps batches pays with memory, and never reads overwritten data.
class SlotPool : public std::enable_shared_from_this<SlotPool> {
 public:
  explicit SlotPool(int planned) : planned_(planned) {}
  // A slot with one reference, large enough for the layout.
  [[nodiscard]] BatchSlot* acquire(std::shared_ptr<const EpochLayout> layout, int64_t index,
                                   int64_t rows);
  void give_back(BatchSlot* slot);
  // Slots returned from now on are freed.
  void close();
  [[nodiscard]] int64_t overflow_count() const;
  [[nodiscard]] int planned() const { return planned_; }

 private:
  [[nodiscard]] std::unique_ptr<BatchSlot> take_or_make();
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<BatchSlot>> free_;
  int planned_;
  int existing_ = 0;
  int64_t overflow_count_ = 0;
};

}  // namespace hearth
