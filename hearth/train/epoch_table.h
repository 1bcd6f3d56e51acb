// How many samples a batch of each epoch has, how many batches and steps: fixed before training.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "hearth/config/time.h"
#include "hearth/schedule/schedule.h"

namespace hearth {

// All epochs the same, or a line for each when batch size, accumulation or training set change.
struct EpochTable {
  std::vector<int64_t> batches_before = {0, 0};  // each epoch, and its end
  std::vector<EpochLine> lines;                  // the same; empty when all are the same
  int64_t total_batches = 0;
  TrainingLength length;  // may point into this table

  EpochTable() = default;
  EpochTable(const EpochTable&) = delete;
  EpochTable(EpochTable&&) = default;  // before `length` points anywhere

  [[nodiscard]] bool is_uniform() const { return lines.empty(); }
  [[nodiscard]] int64_t batch_size(int64_t epoch) const;
  [[nodiscard]] int64_t largest_batch() const;
  [[nodiscard]] int64_t first_batch(int64_t epoch) const;
};

// What an epoch holds when its batches have a size.
struct EpochSize {
  int64_t batches = 0;
  int64_t samples = 0;
};

struct EpochTableRequest {
  int64_t epochs = 1;
  ScheduledCount batch_size;
  std::function<int64_t(const Moment&)> batches_per_step;            // as an epoch starts
  bool has_constant_steps = true;                                    // that never changes
  std::function<EpochSize(const Moment&, int64_t batch_size)> size;  // of an epoch, as it starts
  bool has_one_set = true;  // every epoch has the same samples
};

// ConfigError when 64 bits cannot count the batches, or when a schedule that hangs on the length of
// the training, which hangs on it, does not settle.
[[nodiscard]] std::shared_ptr<const EpochTable> make_epoch_table(const EpochTableRequest& request);

}  // namespace hearth
