// How long each epoch is. A schedule may hang on the length of the whole training, which hangs on
// it: the table is made again from the length it led to, until nothing changes any more.
#include "hearth/train/epoch_table.h"

#include <algorithm>
#include <cmath>

#include "hearth/base/error.h"

namespace hearth {
namespace {

constexpr int kMostRounds = 50;
constexpr int64_t kMostEpochs = 1'000'000;  // with a line for each

[[noreturn]] void throw_too_many(int64_t epochs, int64_t batches) {
  throw ConfigError(std::to_string(epochs) + " epochs of " + std::to_string(batches) +
                    " batches are more than 64 bits can count. Use fewer epochs.");
}

EpochTable uniform_table(const EpochTableRequest& request, int64_t batch_size) {
  const int64_t batches = request.batches(0, batch_size);
  int64_t total = 0;
  if (__builtin_mul_overflow(batches, request.epochs, &total))
    throw_too_many(request.epochs, batches);
  const int64_t per_step = request.batches_per_step;
  EpochTable table;
  table.batch_sizes = {batch_size};
  table.batches_before = {0, batches};
  table.total_batches = total;
  table.length = {std::max<int64_t>(batches / per_step, 1), std::max<int64_t>(total / per_step, 1),
                  batch_size * std::min(per_step, total)};
  return table;
}

// Asks the schedule at the start of each epoch, with `length` as what is known of the training.
EpochTable next_table(const EpochTableRequest& request, const ScheduledValue& schedule,
                      const TrainingLength& length) {
  EpochTable table;
  table.batch_sizes.clear();
  table.batches_before = {0};
  for (int64_t epoch = 0; epoch < request.epochs; ++epoch) {
    const Moment moment{table.batches_before.back() / request.batches_per_step, epoch, length};
    const auto size = std::max<int64_t>(std::llround(schedule.at(moment)), 1);
    table.batch_sizes.push_back(size);
    table.batches_before.push_back(table.batches_before.back() + request.batches(epoch, size));
  }
  for (const int64_t batches : table.batches_before)
    table.steps_before.push_back(batches / request.batches_per_step);
  table.total_batches = table.batches_before.back();
  return table;
}

void set_length(EpochTable& table, int64_t batches_per_step) {
  const int64_t steps = table.steps_before.back();
  table.length = {std::max<int64_t>(table.steps_before[1], 1), std::max<int64_t>(steps, 1),
                  table.batch_sizes.front() * std::min(batches_per_step, table.total_batches),
                  &table.steps_before};
}

}  // namespace

int64_t EpochTable::batch_size(int64_t epoch) const {
  const auto last = static_cast<int64_t>(batch_sizes.size()) - 1;
  return batch_sizes[static_cast<size_t>(std::min(epoch, last))];
}

int64_t EpochTable::first_batch(int64_t epoch) const {
  if (is_uniform()) return epoch * batches_before[1];
  return batches_before[static_cast<size_t>(
      std::min(epoch, static_cast<int64_t>(batches_before.size()) - 1))];
}

int64_t EpochTable::largest_batch() const {
  return *std::max_element(batch_sizes.begin(), batch_sizes.end());
}

std::shared_ptr<const EpochTable> make_epoch_table(const EpochTableRequest& request) {
  if (request.batch_size.is_constant())
    return std::make_shared<const EpochTable>(
        uniform_table(request, static_cast<int64_t>(request.batch_size.constant())));
  if (request.epochs > kMostEpochs)
    throw ConfigError("a batch_size that changes is for at most " + std::to_string(kMostEpochs) +
                      " epochs. Give it one number, or use fewer epochs.");
  const ScheduledValue schedule(request.batch_size);
  auto table = std::make_shared<EpochTable>(uniform_table(request, 1));
  for (int round = 0; round < kMostRounds; ++round) {
    auto next = std::make_shared<EpochTable>(next_table(request, schedule, table->length));
    set_length(*next, request.batches_per_step);
    if (next->batch_sizes == table->batch_sizes) return next;
    table = std::move(next);
  }
  throw ConfigError(
      "the schedule hangs on the number of steps, which hangs on it, and does not settle. Use "
      "epochs, such as 5ep, for its times.");
}

}  // namespace hearth
