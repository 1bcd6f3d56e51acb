// What follows from a loader's options, and the place between two batches.
#include "hearth/data/loader_sizes.h"

#include <algorithm>
#include <limits>

#include <nlohmann/json.hpp>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/data/orders/in_order.h"
#include "hearth/data/orders/shuffled.h"
#include "hearth/data/rank_rows.h"

namespace hearth {

namespace {

// One batch is in the caller's hands, and one may be while it is assigned over.
constexpr int kBuffersGiven = 2;
// Of all that are made ahead beyond `depth`: they and what computes on them stay in a core's cache.
constexpr int64_t kSmallBatchesBytes = 256 << 10;

}  // namespace

int loader_buffers(const LoaderOptions& options) { return most_ahead(options) + kBuffersGiven; }

int loader_threads(const LoaderOptions& options) {
  return std::max(options.workers, options.most_workers);
}

int loader_chunks(const LoaderOptions& options) {
  const int64_t threads = loader_threads(options);
  const int64_t wanted = threads > 0 ? 2 * threads : 1;
  return static_cast<int>(std::clamp<int64_t>(wanted, 1, options.batch_size));
}

int most_ahead(const LoaderOptions& options) { return std::max(options.depth, options.most_depth); }

int batches_ahead(const LoaderOptions& options, const EpochLayout& layout) {
  if (layout.plan->ragged_columns > 0 || layout.plan->whole_values > 0) return options.depth;
  const int64_t small = kSmallBatchesBytes / std::max<int64_t>(layout.bytes, 1);
  return std::max(options.depth, static_cast<int>(std::min<int64_t>(options.most_depth, small)));
}

int64_t loader_bytes(const LoaderOptions& options, int64_t buffer_bytes, int64_t scratch_bytes) {
  const int buffers = options.depth + kBuffersGiven;
  int64_t batches = options.most_depth > options.depth ? kSmallBatchesBytes : 0;
  int64_t large = 0;
  int64_t scratch = 0;
  int64_t all = 0;
  if (__builtin_mul_overflow(buffers, buffer_bytes, &large) ||
      __builtin_add_overflow(batches, large, &batches) ||
      __builtin_mul_overflow(loader_threads(options) + 1, scratch_bytes, &scratch) ||
      __builtin_add_overflow(batches, scratch, &all))
    throw ConfigError(options.name + ": " + std::to_string(buffers) + " batches of " +
                      human_bytes(static_cast<uint64_t>(buffer_bytes)) +
                      " are more than 64 bits can count.");
  return all;
}

int64_t batch_size_of(const LoaderOptions& options, int64_t epoch) {
  return options.batch_size_of_epoch ? options.batch_size_of_epoch(epoch) : options.batch_size;
}

LoaderOptions checked_loader_options(LoaderOptions options) {
  const auto demand = [&](bool holds, const std::string& rule, int64_t value) {
    if (!holds)
      throw ConfigError(options.name + ": " + rule + ", but is " + std::to_string(value) + ".");
  };
  demand(options.batch_size >= 1, "batch_size must be at least 1", options.batch_size);
  demand(options.workers >= 0, "workers must be at least 0", options.workers);
  demand(options.depth >= 1, "depth must be at least 1", options.depth);
  demand(options.ranks >= 1 && options.ranks <= options.batch_size,
         "ranks must be from 1 to the batch_size of " + std::to_string(options.batch_size),
         options.ranks);
  demand(options.rank >= 0 && options.rank < options.ranks,
         "rank must be from 0 to " + std::to_string(options.ranks - 1), options.rank);
  if (loader_threads(options) == 0) options.depth = options.most_depth = 1;
  return options;
}

SampleSet LoaderOptions::set_at(int64_t samples, int64_t epoch) const {
  return set_of_epoch ? set_of_epoch(epoch) : SampleSet{name, place, samples, order};
}

std::unique_ptr<const EpochOrder> LoaderOptions::order_of(int64_t samples, int64_t epoch) const {
  const SampleSet set = set_at(samples, epoch);
  const OrderRequest request{set.samples, batch_size_of(*this, epoch),
                             last_batch == LastBatch::kDrop, seed, epoch};
  if (set.order) return set.order->epoch(request);
  return registry<Order>().make(shuffle ? orders::shuffled() : orders::in_order())->epoch(request);
}

int64_t Loader::memory_bytes(const LoaderOptions& options, const DataPlan& plan) {
  const LoaderOptions checked = checked_loader_options(options);
  const auto shared = std::shared_ptr<const DataPlan>(std::shared_ptr<void>(), &plan);
  const int64_t rows = most_made_rows(checked, plan, checked.batch_size);
  const int64_t buffer_bytes = EpochLayout::make(0, shared, rows).bytes;
  return loader_bytes(checked, buffer_bytes, plan.scratch_bytes);
}

// Every value as large as it may be; beyond 64 bits, the most they can count.
int64_t Loader::most_ragged_bytes(const LoaderOptions& options, const DataPlan& plan) {
  const LoaderOptions checked = checked_loader_options(options);
  const int64_t rows = most_made_rows(checked, plan, checked.batch_size);
  const int64_t in_batch = plan.ragged_columns * rows + plan.whole_values;
  const int64_t values = (loader_threads(checked) + 1) * plan.ragged_values +
                         (checked.depth + kBuffersGiven) * in_batch;
  int64_t bytes = 0;
  if (__builtin_mul_overflow(values, checked.most_bytes_per_value, &bytes))
    return std::numeric_limits<int64_t>::max();
  return bytes;
}

Json LoaderState::to_json() const { return {{"epoch", epoch}, {"next_batch", next_batch}}; }

LoaderState LoaderState::from_json(const Json& json) {
  try {
    return {json.at("epoch").get<int64_t>(), json.at("next_batch").get<int64_t>()};
  } catch (const Json::exception& error) {
    throw DataError(std::string("loader state: not a state in JSON: ") + error.what());
  }
}

}  // namespace hearth
