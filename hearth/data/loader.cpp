// The batch engine: a window of open batches, workers that fill them, a consumer that helps.
#include "hearth/data/loader.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <mutex>
#include <optional>

#include <nlohmann/json.hpp>

#include "hearth/base/error.h"
#include "hearth/base/thread_pool.h"
#include "hearth/data/batch_order.h"
#include "hearth/data/chunk_worker.h"
#include "hearth/data/tickets.h"

namespace hearth {

// What the batches of an epoch look like, or why it cannot be run.
struct LoaderEpoch {
  int64_t epoch = -1;
  std::shared_ptr<const EpochLayout> layout;
  std::shared_ptr<const EpochOrder> order;
  std::exception_ptr error;
};

// A batch in the window.
struct OpenBatch {
  HostBatch batch;
  BatchSlot* slot = nullptr;
  std::shared_ptr<const EpochOrder> order;
  std::mutex mutex;  // guards what follows, which several chunks may report to
  int64_t error_row = -1;
  std::exception_ptr error;
  std::vector<Replacement> replacements;
};

namespace {

int loader_chunks(const LoaderOptions& options) {
  const int64_t wanted = options.workers > 0 ? 2 * options.workers : 1;
  return static_cast<int>(std::clamp<int64_t>(wanted, 1, options.batch_size));
}

LoaderOptions checked_loader_options(LoaderOptions options) {
  const auto demand = [&](bool holds, const std::string& rule, int64_t value) {
    if (!holds)
      throw ConfigError(options.name + ": " + rule + ", but is " + std::to_string(value) + ".");
  };
  demand(options.batch_size >= 1, "batch_size must be at least 1", options.batch_size);
  demand(options.workers >= 0, "workers must be at least 0", options.workers);
  demand(options.depth >= 1, "depth must be at least 1", options.depth);
  if (options.workers == 0) options.depth = 1;
  return options;
}

}  // namespace

class Loader::Engine {
 public:
  Engine(int64_t source_size, LoaderOptions options, PlanOfEpoch plan_of_epoch)
      : options_(checked_loader_options(std::move(options))),
        count_{source_size, options_.batch_size, options_.drop_last},
        plan_of_epoch_(std::move(plan_of_epoch)),
        chunks_(loader_chunks(options_)),
        // One batch is in the caller's hands, and one may be while it is assigned over.
        pool_(std::make_shared<SlotPool>(options_.depth + 2)),
        tickets_(options_.depth, chunks_),
        window_(static_cast<size_t>(options_.depth)),
        helper_(options_, source_size, is_cancelled_) {
    check_size();
    threads_.emplace(options_.workers, [this](int, const std::stop_token&) { work(); });
  }

  ~Engine() {
    is_cancelled_ = true;
    tickets_.stop();
    threads_.reset();
    for (OpenBatch& open : window_) open.batch = {};
    pool_->close();
  }

  void start(int64_t epoch, int64_t first_batch, int64_t end_epoch) {
    check_position(epoch, first_batch);
    clear_window();
    next_ = opened_ = epoch * count_.per_epoch() + first_batch;
    end_ = number_of_epoch(end_epoch < 0 ? options_.epochs : end_epoch);
    tickets_.restart(next_);
    is_started_ = true;
    open_window();
  }

  HostBatch next() {
    if (!is_started_) start(0, 0, -1);
    if (next_ >= end_) return {};
    if (next_ >= opened_) open_window();
    if (next_ >= opened_) std::rethrow_exception(newest_.error);
    finish_batch(next_);
    OpenBatch& open = entry(next_);
    if (open.error) std::rethrow_exception(open.error);
    HostBatch batch = std::move(open.batch);
    hand_over_replacements(open);
    ++next_;
    open_window();
    return batch;
  }

  [[nodiscard]] LoaderState state() const {
    return {next_ / count_.per_epoch(), next_ % count_.per_epoch()};
  }

  [[nodiscard]] int64_t memory_bytes() {
    if (newest_.epoch < 0) newest_ = make_epoch(0);
    if (newest_.error) std::rethrow_exception(newest_.error);
    return pool_->planned() * slot_bytes_ + (options_.workers + 1) * scratch_bytes_;
  }

  [[nodiscard]] const LoaderOptions& options() const { return options_; }
  [[nodiscard]] int64_t batches_per_epoch() const { return count_.per_epoch(); }
  [[nodiscard]] int64_t overflow_count() const { return pool_->overflow_count(); }

 private:
  OpenBatch& entry(int64_t number) { return window_[static_cast<size_t>(number) % window_.size()]; }

  [[nodiscard]] int64_t number_of_epoch(int64_t epoch) const {
    int64_t number = 0;
    if (__builtin_mul_overflow(epoch, count_.per_epoch(), &number))
      return std::numeric_limits<int64_t>::max();
    return number;
  }

  void check_size() const {
    if (count_.samples < 1) throw DataError(options_.name + ": the source has no samples.");
    if (count_.per_epoch() < 1)
      throw DataError(options_.name + ": " + std::to_string(count_.samples) +
                      " samples do not fill one batch of " + std::to_string(options_.batch_size) +
                      ", and drop_last drops the rest. Lower batch_size or turn drop_last off.");
  }

  void check_position(int64_t epoch, int64_t first_batch) const {
    if (epoch < 0 || epoch > std::numeric_limits<uint32_t>::max() || first_batch < 0 ||
        first_batch > count_.per_epoch())
      throw DataError(options_.name + ": cannot go on at batch " + std::to_string(first_batch) +
                      " of epoch " + std::to_string(epoch) + ": an epoch has " +
                      std::to_string(count_.per_epoch()) +
                      " batches. Were the data or batch_size changed since?");
  }

  void clear_window() {
    is_cancelled_ = true;
    tickets_.drain();
    is_cancelled_ = false;
    for (OpenBatch& open : window_) open.batch = {};
    newest_ = {};
  }

  // Opens batches up to `depth` ahead. An epoch without a plan ends the window before it.
  void open_window() {
    while (opened_ < end_ && opened_ < next_ + options_.depth) {
      const LoaderEpoch& epoch = epoch_of(opened_);
      if (epoch.error) return;
      open_batch(epoch);
    }
  }

  void open_batch(const LoaderEpoch& epoch) {
    OpenBatch& open = entry(opened_);
    const int64_t index = opened_ % count_.per_epoch();
    open.slot = pool_->acquire(epoch.layout, index, count_.rows(index));
    open.batch = HostBatch(open.slot);
    open.order = epoch.order;
    open.error = nullptr;
    open.error_row = -1;
    ++opened_;
    tickets_.open();
  }

  const LoaderEpoch& epoch_of(int64_t number) {
    const int64_t epoch = number / count_.per_epoch();
    if (newest_.epoch != epoch) newest_ = make_epoch(epoch);
    return newest_;
  }

  LoaderEpoch make_epoch(int64_t epoch) {
    LoaderEpoch made;
    made.epoch = epoch;
    try {
      made.layout = std::make_shared<const EpochLayout>(
          EpochLayout::make(epoch, plan_of_epoch_(epoch), options_.batch_size));
      made.order = std::make_shared<const EpochOrder>(count_.samples, options_.shuffle,
                                                      options_.seed, epoch);
      slot_bytes_ = std::max(slot_bytes_, made.layout->bytes);
      scratch_bytes_ = std::max(scratch_bytes_, made.layout->plan->scratch_bytes);
    } catch (...) {
      made.error = std::current_exception();
    }
    return made;
  }

  void work() {
    ChunkWorker worker(options_, count_.samples, is_cancelled_);
    while (const auto ticket = tickets_.claim()) run(worker, *ticket);
  }

  // Works along until the batch is made; waits only when nothing is left to take on.
  void finish_batch(int64_t number) {
    while (!tickets_.is_done(number)) {
      const auto ticket = tickets_.try_claim();
      if (!ticket) return tickets_.wait_until_done(number);
      run(helper_, *ticket);
    }
  }

  void run(ChunkWorker& worker, const Ticket& ticket) {
    OpenBatch& open = entry(ticket.batch);
    const auto rows = static_cast<int64_t>(open.slot->samples.size());
    const int64_t chunk_rows = (options_.batch_size + chunks_ - 1) / chunks_;
    const int64_t begin = std::min(rows, ticket.chunk * chunk_rows);
    report(open, worker.run(*open.slot, *open.order, begin, std::min(rows, begin + chunk_rows)));
    tickets_.finish(ticket);
  }

  // Of all errors in a batch the one of the first row counts, whoever met it.
  static void report(OpenBatch& open, ChunkResult result) {
    if (!result.error && result.replacements.empty()) return;
    const std::lock_guard lock(open.mutex);
    if (result.error && (!open.error || result.error_row < open.error_row)) {
      open.error = result.error;
      open.error_row = result.error_row;
    }
    for (Replacement& each : result.replacements) open.replacements.push_back(std::move(each));
  }

  static void hand_over_replacements(OpenBatch& open) {
    std::sort(open.replacements.begin(), open.replacements.end(),
              [](const Replacement& a, const Replacement& b) { return a.row < b.row; });
    open.slot->replacements.swap(open.replacements);
    open.replacements.clear();
  }

  LoaderOptions options_;
  BatchCount count_;
  PlanOfEpoch plan_of_epoch_;
  int chunks_;
  std::shared_ptr<SlotPool> pool_;
  Tickets tickets_;
  std::vector<OpenBatch> window_;
  std::atomic<bool> is_cancelled_ = false;
  ChunkWorker helper_;
  LoaderEpoch newest_;  // the epoch of the batch opened last
  int64_t next_ = 0;    // given next
  int64_t opened_ = 0;  // opened next
  int64_t end_ = 0;
  int64_t slot_bytes_ = 0;
  int64_t scratch_bytes_ = 0;
  bool is_started_ = false;
  std::optional<ThreadPool> threads_;
};

Loader::Loader(int64_t source_size, LoaderOptions options, PlanOfEpoch plan_of_epoch)
    : engine_(std::make_unique<Engine>(source_size, std::move(options), std::move(plan_of_epoch))) {
}
Loader::~Loader() = default;

void Loader::start(int64_t epoch, int64_t first_batch, int64_t end_epoch) {
  engine_->start(epoch, first_batch, end_epoch);
}
HostBatch Loader::next() { return engine_->next(); }
int64_t Loader::batches_per_epoch() const { return engine_->batches_per_epoch(); }
const LoaderOptions& Loader::options() const { return engine_->options(); }
LoaderState Loader::state() const { return engine_->state(); }
void Loader::restore(const LoaderState& state) { start(state.epoch, state.next_batch); }
int64_t Loader::memory_bytes() const { return engine_->memory_bytes(); }
int64_t Loader::overflow_count() const { return engine_->overflow_count(); }

Json LoaderState::to_json() const { return {{"epoch", epoch}, {"next_batch", next_batch}}; }

LoaderState LoaderState::from_json(const Json& json) {
  try {
    return {json.at("epoch").get<int64_t>(), json.at("next_batch").get<int64_t>()};
  } catch (const Json::exception& error) {
    throw DataError(std::string("loader state: not a state in JSON: ") + error.what());
  }
}

}  // namespace hearth
