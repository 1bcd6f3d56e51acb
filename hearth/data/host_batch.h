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
#include "hearth/data/sample_set.h"

namespace hearth {

inline constexpr int64_t kNoSample = -1;

// A sample that could not be read or processed, and the one that stands in for it; with
// `on_error: mask` none does.
struct Replacement {
  int64_t row = 0;
  int64_t sample = 0;
  int64_t substitute = kNoSample;
  std::string reason;  // empty for one that an op filtered out, which is no fault
};

// One epoch's plan with the layout of its batches: where each field starts within a buffer.
struct EpochLayout {
  int64_t epoch = 0;
  std::shared_ptr<const DataPlan> plan;
  int64_t batch_size = 0;  // the most rows of a batch
  std::vector<int64_t> field_offsets = {};
  int64_t bytes = 0;
  std::shared_ptr<const SampleSet> set = {};  // whose samples they are
  [[nodiscard]] static EpochLayout make(int64_t epoch, std::shared_ptr<const DataPlan> plan,
                                        int64_t batch_size);
};

inline constexpr std::align_val_t kBufferAlignment{64};
struct BufferMemoryDelete {
  void operator()(std::byte* memory) const { ::operator delete(memory, kBufferAlignment); }
};

class BufferPool;

// The memory of one batch. It is filled by workers, then lent out as HostBatch.
struct BatchBuffer {
  std::unique_ptr<std::byte, BufferMemoryDelete> memory;
  int64_t capacity = 0;
  std::vector<RaggedValue> ragged_rows;  // of the first column, of the second, ...
  std::vector<RaggedValue> wholes;
  std::shared_ptr<const EpochLayout> layout;
  int64_t index = 0;
  int64_t first_row = 0;         // of the batch's rows, the one that is made first here
  int64_t made_rows = 0;         // of which some may fail
  bool counts_nothing = false;   // its rows only let this rank go along with the others
  std::vector<int64_t> samples;  // of the real rows, which come first
  int64_t rows = 0;              // with those that only fill up
  std::vector<Replacement> replacements;
  std::atomic<int> references{0};
  std::shared_ptr<BufferPool> home;  // set while it is lent, so that the pool outlives its loader

  [[nodiscard]] RaggedValue& ragged_row(size_t column, int64_t row) {
    return ragged_rows[column * static_cast<size_t>(layout->batch_size) + static_cast<size_t>(row)];
  }
  [[nodiscard]] std::span<RaggedValue> column(size_t column) {
    return {&ragged_row(column, 0), samples.size()};
  }
  // The rows of a field, when they have one shape.
  [[nodiscard]] std::byte* data(const ValuePlace& place);
};

// A shared handle of a batch: copies share the memory, which returns to the pool with the last one.
class HostBatch {
 public:
  HostBatch() = default;
  explicit HostBatch(BatchBuffer* buffer) : buffer_(buffer) {}  // takes over one reference
  HostBatch(const HostBatch& other);
  HostBatch(HostBatch&& other) noexcept : buffer_(std::exchange(other.buffer_, nullptr)) {}
  HostBatch& operator=(HostBatch other) noexcept;
  ~HostBatch();

  [[nodiscard]] bool is_empty() const { return buffer_ == nullptr; }
  [[nodiscard]] int64_t epoch() const { return buffer_->layout->epoch; }
  [[nodiscard]] int64_t index() const { return buffer_->index; }  // within the epoch
  [[nodiscard]] int64_t rows() const { return buffer_->rows; }
  // The first so many rows are samples; the others repeat them, and count nothing in losses and
  // metrics.
  [[nodiscard]] int64_t real_rows() const { return static_cast<int64_t>(buffer_->samples.size()); }
  [[nodiscard]] std::span<const int64_t> samples() const { return buffer_->samples; }
  // In the order of their rows; empty unless `on_error: replace` or `mask` had work to do.
  [[nodiscard]] std::span<const Replacement> replacements() const { return buffer_->replacements; }

  [[nodiscard]] const DataPlan& plan() const { return *buffer_->layout->plan; }
  // By the index of the plan's value: all rows, or null when the value is not part of the batch or
  // its rows have no shape in common.
  [[nodiscard]] std::byte* data(int value) const;
  [[nodiscard]] const Spec& spec(int value) const;
  // The shape of a row in this batch: the spec's, with lengths that differ filled in.
  [[nodiscard]] std::span<const int64_t> shape(int value) const;
  [[nodiscard]] View row(int value, int64_t row) const;

 private:
  [[nodiscard]] const BatchField& field(int value) const;
  BatchBuffer* buffer_ = nullptr;
};

// A bounded number of buffers. When all of them are lent, a further one is made, counted, and freed
// on return: whoever keeps batches pays with memory, and never reads overwritten data.
class BufferPool : public std::enable_shared_from_this<BufferPool> {
 public:
  explicit BufferPool(int expected,
                      int64_t most_bytes_per_value = RaggedMemory().most_bytes_per_value)
      : expected_(expected) {
    ragged_memory_.most_bytes_per_value = most_bytes_per_value;
  }
  // A buffer with one reference, large enough for the layout. Of its `rows` the first `real` are
  // samples.
  [[nodiscard]] BatchBuffer* acquire(std::shared_ptr<const EpochLayout> layout, int64_t index,
                                     int64_t real, int64_t rows);
  void give_back(BatchBuffer* buffer);
  // Buffers returned from now on are freed.
  void close();
  [[nodiscard]] int64_t overflow_count() const;
  [[nodiscard]] int expected() const { return expected_; }
  [[nodiscard]] RaggedMemory& ragged_memory() { return ragged_memory_; }

 private:
  [[nodiscard]] std::unique_ptr<BatchBuffer> take_or_make();
  mutable std::mutex mutex_;
  RaggedMemory ragged_memory_;  // before the buffers, which use it
  std::vector<std::unique_ptr<BatchBuffer>> free_;
  int expected_;
  int existing_ = 0;
  int64_t overflow_count_ = 0;
};

}  // namespace hearth
