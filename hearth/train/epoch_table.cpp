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
  const Moment start{0, 0, {1, 1, 1}};
  const EpochSize size = request.size(start, batch_size);
  int64_t total = 0;
  int64_t samples = 0;
  if (__builtin_mul_overflow(size.batches, request.epochs, &total) ||
      __builtin_mul_overflow(size.samples, request.epochs, &samples))
    throw_too_many(request.epochs, size.batches);
  const int64_t per_step = request.batches_per_step(start);
  EpochTable table;
  table.batches_before = {0, size.batches};
  table.total_batches = total;
  table.length = {.steps_per_epoch = std::max<int64_t>(size.batches / per_step, 1),
                  .total_steps = std::max<int64_t>(total / per_step, 1),
                  .batch_size = batch_size * per_step,
                  .batches_per_epoch = size.batches,
                  .batches_per_step = per_step,
                  .samples_per_epoch = size.samples};
  return table;
}

int64_t scheduled_size(const ScheduledValue& batch_size, const Moment& moment) {
  return std::max<int64_t>(std::llround(batch_size.at(moment)), 1);
}

// What waits for a step when the epoch is over.
int64_t still_waiting(const EpochLine& line, int64_t batches) {
  if (line.waiting_batches >= line.batches_per_step) return (batches - 1) % line.batches_per_step;
  return (line.waiting_batches + batches) % line.batches_per_step;
}

// Asks the schedules at the start of each epoch, with `length` as what is known of the training.
EpochTable next_table(const EpochTableRequest& request, const ScheduledValue& batch_size,
                      const TrainingLength& length) {
  EpochTable table;
  table.batches_before = {0};
  EpochLine line;
  for (int64_t epoch = 0; epoch < request.epochs; ++epoch) {
    const Moment moment{line.first_step, epoch, length};
    line.batch_size = scheduled_size(batch_size, moment);
    line.batches_per_step = std::max<int64_t>(request.batches_per_step(moment), 1);
    const EpochSize size = request.size(moment, line.batch_size);
    table.lines.push_back(line);
    table.batches_before.push_back(table.batches_before.back() + size.batches);
    const int64_t waiting = still_waiting(line, size.batches);
    line.first_step = line.step_after(size.batches);
    line.first_sample += size.samples;
    line.waiting_batches = waiting;
  }
  table.lines.push_back(line);
  table.total_batches = table.batches_before.back();
  return table;
}

void set_length(EpochTable& table) {
  const EpochLine& first = table.lines.front();
  table.length = {.steps_per_epoch = std::max<int64_t>(table.lines[1].first_step, 1),
                  .total_steps = std::max<int64_t>(table.lines.back().first_step, 1),
                  .batch_size = first.batch_size * first.batches_per_step,
                  .batches_per_step = first.batches_per_step,
                  .epochs = &table.lines};
}

bool are_same_epochs(const EpochTable& left, const EpochTable& right) {
  return std::equal(left.lines.begin(), left.lines.end(), right.lines.begin(), right.lines.end(),
                    [](const EpochLine& a, const EpochLine& b) {
                      return a.batch_size == b.batch_size &&
                             a.batches_per_step == b.batches_per_step &&
                             a.first_sample == b.first_sample;
                    }) &&
         left.batches_before == right.batches_before;
}

}  // namespace

int64_t EpochTable::batch_size(int64_t epoch) const {
  if (is_uniform()) return length.batch_size / length.batches_per_step;
  return lines[static_cast<size_t>(std::min(epoch, static_cast<int64_t>(lines.size()) - 1))]
      .batch_size;
}

int64_t EpochTable::first_batch(int64_t epoch) const {
  if (is_uniform()) return epoch * batches_before[1];
  return batches_before[static_cast<size_t>(
      std::min(epoch, static_cast<int64_t>(batches_before.size()) - 1))];
}

int64_t EpochTable::largest_batch() const {
  int64_t largest = batch_size(0);
  for (const EpochLine& line : lines) largest = std::max(largest, line.batch_size);
  return largest;
}

std::shared_ptr<const EpochTable> make_epoch_table(const EpochTableRequest& request) {
  if (request.batch_size.is_constant() && request.has_constant_steps && request.has_one_set)
    return std::make_shared<const EpochTable>(
        uniform_table(request, static_cast<int64_t>(request.batch_size.constant())));
  if (request.epochs > kMostEpochs)
    throw ConfigError(
        request.has_one_set
            ? "a batch_size or accumulation that changes is for at most " +
                  std::to_string(kMostEpochs) + " epochs. Give it one number, or use fewer epochs."
            : "training sets that take turns are for at most " + std::to_string(kMostEpochs) +
                  " epochs. Use one set, or fewer epochs.");
  const ScheduledValue batch_size(request.batch_size);
  // The first guess is a size that the schedule has: an order may refuse others.
  auto table = std::make_shared<EpochTable>(
      uniform_table(request, scheduled_size(batch_size, {0, 0, {1, 1, 1}})));
  for (int round = 0; round < kMostRounds; ++round) {
    auto next = std::make_shared<EpochTable>(next_table(request, batch_size, table->length));
    set_length(*next);
    if (are_same_epochs(*next, *table)) return next;
    table = std::move(next);
  }
  throw ConfigError(
      std::string(request.has_one_set ? "the schedule" : "a schedule or a window of data.windows") +
      " hangs on the number of steps, which hangs on it, and does not settle. Use epochs, such as "
      "5ep, for its times.");
}

}  // namespace hearth
