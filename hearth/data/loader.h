// Batches in order, made ahead of time by worker threads, the same for any number of them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "hearth/data/data_plan.h"
#include "hearth/data/host_batch.h"
#include "hearth/data/order.h"
#include "hearth/data/sample_set.h"

namespace hearth {

// What to do when a sample cannot be read or processed.
enum class OnError : uint8_t {
  kRaise,    // a DataError that names the sample
  kReplace,  // another sample stands in for it, always the same one; see HostBatch::replacements
  kMask,     // it counts nothing: its row only fills up; see HostBatch::real_rows
};

// What becomes of an epoch's last batch when samples do not fill it.
enum class LastBatch : uint8_t {
  kKeep,  // it is short
  kDrop,  // it is left out
  kPad,   // rows that count nothing fill it up; see HostBatch::real_rows
};

struct LoaderOptions {
  std::string name = "data";              // how messages call it: "train"
  std::optional<std::string> place = {};  // where the config names it
  int64_t batch_size = 32;                // of all ranks together; the largest, when it changes
  // The batch size of an epoch; empty: always the same.
  std::function<int64_t(int64_t epoch)> batch_size_of_epoch = {};
  int workers = 0;  // threads besides the caller's, who helps when a batch is not ready
  // As many of them may come to be, when that makes batches come faster; see WorkerTuner.
  int most_workers = 0;
  int depth = 2;  // batches made ahead; without workers nothing is made ahead
  // As many instead while they are so small that to wake a worker for each would take longer than
  // to make it.
  int most_depth = 0;
  uint64_t seed = 0;
  bool shuffle = false;
  std::shared_ptr<const Order> order = {};  // opened; empty: shuffled, or as the source has them
  // The samples of an epoch, where sets take turns; empty: always the same, as `name`, `place` and
  // `order` say.
  std::function<SampleSet(int64_t epoch)> set_of_epoch = {};
  LastBatch last_batch = LastBatch::kKeep;
  OnError on_error = OnError::kRaise;
  // Of several processes that share each batch, which one this is, and how many there are. Each has
  // as many batches as the others, with its part of the rows; together they have the rows of one
  // alone, in the order of the ranks. Where a batch has no row for a rank, it gets one that counts
  // nothing: real_rows() is 0. Batch ops see the whole batch, which every rank then makes.
  int rank = 0;
  int ranks = 1;
  int64_t epochs = 1;  // the epoch after the last one that is made ahead
  int64_t most_bytes_per_value = RaggedMemory().most_bytes_per_value;
  int64_t most_ragged_bytes = RaggedMemory().most_bytes;  // of all such values

  // The set of an epoch; `samples` is the size of the source, where there is one only.
  [[nodiscard]] SampleSet set_at(int64_t samples, int64_t epoch) const;
  // The order of an epoch's samples.
  [[nodiscard]] std::unique_ptr<const EpochOrder> order_of(int64_t samples, int64_t epoch) const;
};

// A place between two batches: everything the data side needs to go on from there.
struct LoaderState {
  int64_t epoch = 0;
  int64_t next_batch = 0;
  [[nodiscard]] bool operator==(const LoaderState&) const = default;
  [[nodiscard]] Json to_json() const;
  [[nodiscard]] static LoaderState from_json(const Json& json);
};

class Loader {
 public:
  // How a batch is made. Called on the thread that calls `start` and `next`, once per batch and in
  // their order; most get the plan of the batch before.
  using PlanOf = std::function<std::shared_ptr<const DataPlan>(int64_t epoch, int64_t batch)>;

  // DataError when there is not a single batch to give.
  Loader(int64_t source_size, LoaderOptions options, PlanOf plan_of);
  ~Loader();
  Loader(const Loader&) = delete;
  Loader& operator=(const Loader&) = delete;

  // The next batch given is `first_batch` of `epoch`; batches go on until `end_epoch`, or
  // options.epochs when it is negative. Takes the same time wherever it points.
  void start(int64_t epoch, int64_t first_batch = 0, int64_t end_epoch = -1);
  // The next batch in order, through all epochs; an empty one after the last. Rethrows what went
  // wrong in this batch, and does so again when called again.
  [[nodiscard]] HostBatch next();

  [[nodiscard]] int64_t batches(int64_t epoch) const;
  [[nodiscard]] const LoaderOptions& options() const;
  // What was given so far, whatever was made ahead.
  [[nodiscard]] LoaderState state() const;
  void restore(const LoaderState& state);

  // The same for a loader that does not exist yet; ConfigError when 64 bits cannot count it.
  [[nodiscard]] static int64_t memory_bytes(const LoaderOptions& options, const DataPlan& plan);
  // The upper bound of batch and scratch memory while no more than two batches are held, without
  // values whose size differs from sample to sample.
  [[nodiscard]] int64_t memory_bytes() const;
  // What those values take now, and what they may take at most.
  [[nodiscard]] int64_t ragged_bytes() const;
  [[nodiscard]] static int64_t most_ragged_bytes(const LoaderOptions& options,
                                                 const DataPlan& plan);
  // Batches that needed memory beyond that, because earlier ones were still held.
  [[nodiscard]] int64_t overflow_count() const;
  // Workers now, and the share of its time that the caller waited or helped so far.
  [[nodiscard]] int active_workers() const;
  [[nodiscard]] double wait_share() const;
  [[nodiscard]] double waited_seconds() const;

 private:
  class Engine;
  std::unique_ptr<Engine> engine_;
};

}  // namespace hearth
