// The batch engine: a window of open batches, workers that fill them, a consumer that helps.
#include "hearth/data/loader.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <mutex>
#include <optional>

#include <nlohmann/json.hpp>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/base/thread_pool.h"
#include "hearth/config/registry.h"
#include "hearth/data/chunk_worker.h"
#include "hearth/data/orders/in_order.h"
#include "hearth/data/orders/shuffled.h"
#include "hearth/data/tickets.h"

namespace hearth {

// What the batches of an epoch look like from some batch on, or why they cannot be made.
struct LoaderEpoch {
  int64_t epoch = -1;
  std::shared_ptr<const SampleSet> set;
  std::shared_ptr<const EpochLayout> layout;
  std::shared_ptr<const EpochOrder> order;
  std::exception_ptr error;
};

// A batch in the window.
struct OpenBatch {
  HostBatch batch;
  BatchBuffer* buffer = nullptr;
  std::shared_ptr<const EpochOrder> order;
  std::atomic<int> chunks_left = 0;
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

// One batch is in the caller's hands, and one may be while it is assigned over.
int loader_buffers(const LoaderOptions& options) { return options.depth + 2; }

int64_t expected_bytes(const LoaderOptions& options, int64_t buffer_bytes, int64_t scratch_bytes) {
  int64_t batches = 0;
  int64_t scratch = 0;
  int64_t all = 0;
  if (__builtin_mul_overflow(loader_buffers(options), buffer_bytes, &batches) ||
      __builtin_mul_overflow(options.workers + 1, scratch_bytes, &scratch) ||
      __builtin_add_overflow(batches, scratch, &all))
    throw ConfigError(options.name + ": " + std::to_string(loader_buffers(options)) +
                      " batches of " + human_bytes(static_cast<uint64_t>(buffer_bytes)) +
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
  if (options.workers == 0) options.depth = 1;
  return options;
}

}  // namespace

class Loader::Engine {
 public:
  Engine(int64_t source_size, LoaderOptions options, PlanOf plan_of)
      : options_(checked_loader_options(std::move(options))),
        samples_(source_size),
        plan_of_(std::move(plan_of)),
        chunks_(loader_chunks(options_)),
        pool_(
            std::make_shared<BufferPool>(loader_buffers(options_), options_.most_bytes_per_value)),
        tickets_(options_.depth, chunks_),
        window_(static_cast<size_t>(options_.depth)),
        helper_(options_, is_cancelled_) {
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
    const bool is_at_end = first_batch == batches(epoch);
    at_ = is_at_end ? LoaderState{epoch + 1, 0} : LoaderState{epoch, first_batch};
    opens_at_ = at_;
    end_epoch_ = end_epoch < 0 ? options_.epochs : end_epoch;
    next_ = opened_ = 0;
    tickets_.restart(next_);
    is_started_ = true;
    open_window();
  }

  HostBatch next() {
    if (!is_started_) start(0, 0, -1);
    if (at_.epoch >= end_epoch_) return {};
    if (next_ >= opened_) open_window();
    if (next_ >= opened_) std::rethrow_exception(newest_.error);
    finish_batch(next_);
    OpenBatch& open = entry(next_);
    if (open.error) std::rethrow_exception(open.error);
    HostBatch batch = std::move(open.batch);
    hand_over_replacements(open);
    ++next_;
    at_ = after(at_, *open.order);
    open_window();
    return batch;
  }

  [[nodiscard]] const LoaderState& state() const { return at_; }

  [[nodiscard]] int64_t memory_bytes() {
    if (newest_.epoch < 0) make_ready({0, 0});
    if (newest_.error) std::rethrow_exception(newest_.error);
    return expected_bytes(options_, buffer_bytes_, scratch_bytes_);
  }

  [[nodiscard]] const LoaderOptions& options() const { return options_; }
  [[nodiscard]] int64_t batches(int64_t epoch) const {
    return options_.order_of(samples_, epoch)->batches();
  }
  [[nodiscard]] int64_t ragged_bytes() const { return pool_->ragged_memory().held_bytes; }
  [[nodiscard]] int64_t overflow_count() const { return pool_->overflow_count(); }

 private:
  OpenBatch& entry(int64_t number) { return window_[static_cast<size_t>(number) % window_.size()]; }

  static LoaderState after(const LoaderState& at, const EpochOrder& order) {
    if (at.next_batch + 1 < order.batches()) return {at.epoch, at.next_batch + 1};
    return {at.epoch + 1, 0};
  }

  void check_size() const {
    const SampleSet set = options_.set_at(samples_, 0);
    if (set.samples < 1) throw DataError(set.name + ": the source has no samples.", set.place);
    check_batches(*options_.order_of(samples_, 0), set, 0);
  }

  void check_batches(const EpochOrder& order, const SampleSet& set, int64_t epoch) const {
    if (order.batches() >= 1) return;
    throw DataError(set.name + ": " + std::to_string(set.samples) +
                        " samples do not fill one batch of " +
                        std::to_string(batch_size_of(options_, epoch)) +
                        ", and drop_last drops the rest. Lower batch_size or turn drop_last off.",
                    set.place);
  }

  void check_position(int64_t epoch, int64_t first_batch) const {
    const bool is_epoch = epoch >= 0 && epoch <= std::numeric_limits<uint32_t>::max();
    const int64_t known = is_epoch ? batches(epoch) : 0;
    if (!is_epoch || first_batch < 0 || first_batch > known)
      throw DataError(options_.name + ": cannot go on at batch " + std::to_string(first_batch) +
                      " of epoch " + std::to_string(epoch) + ": an epoch has " +
                      std::to_string(known) +
                      " batches. Were the data or batch_size changed since?");
  }

  void clear_window() {
    is_cancelled_ = true;
    tickets_.drain();
    is_cancelled_ = false;
    for (OpenBatch& open : window_) open.batch = {};
    newest_ = {};
  }

  // Opens batches up to `depth` ahead. A batch without a plan ends the window before it.
  void open_window() {
    while (opens_at_.epoch < end_epoch_ && opened_ < next_ + options_.depth) {
      make_ready(opens_at_);
      if (newest_.error) return;
      open_batch(newest_);
    }
  }

  void open_batch(const LoaderEpoch& epoch) {
    OpenBatch& open = entry(opened_);
    const int64_t index = opens_at_.next_batch;
    open.buffer = pool_->acquire(epoch.layout, index, epoch.order->rows(index));
    open.batch = HostBatch(open.buffer);
    open.order = epoch.order;
    open.chunks_left = chunks_;
    open.error = nullptr;
    open.error_row = -1;
    opens_at_ = after(opens_at_, *epoch.order);
    ++opened_;
    tickets_.open();
  }

  // Lets `newest_` be what the batch at that position looks like.
  void make_ready(const LoaderState& at) {
    const bool is_new = newest_.epoch != at.epoch || !newest_.order;
    if (is_new) newest_ = {at.epoch, nullptr, nullptr, nullptr, nullptr};
    newest_.error = nullptr;
    try {
      std::shared_ptr<const DataPlan> plan = plan_of_(at.epoch, at.next_batch);
      if (is_new) {
        newest_.set = std::make_shared<const SampleSet>(options_.set_at(samples_, at.epoch));
        newest_.order = options_.order_of(samples_, at.epoch);
        check_batches(*newest_.order, *newest_.set, at.epoch);
      }
      if (newest_.layout && newest_.layout->plan == plan) return;
      EpochLayout layout =
          EpochLayout::make(at.epoch, std::move(plan), batch_size_of(options_, at.epoch));
      layout.set = newest_.set;
      newest_.layout = std::make_shared<const EpochLayout>(std::move(layout));
      buffer_bytes_ = std::max(buffer_bytes_, newest_.layout->bytes);
      scratch_bytes_ = std::max(scratch_bytes_, newest_.layout->plan->scratch_bytes);
    } catch (...) {
      newest_.error = std::current_exception();
    }
  }

  void work() {
    ChunkWorker worker(options_, is_cancelled_);
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
    const auto rows = static_cast<int64_t>(open.buffer->samples.size());
    const int64_t chunk_rows = (open.buffer->layout->batch_size + chunks_ - 1) / chunks_;
    const int64_t begin = std::min(rows, ticket.chunk * chunk_rows);
    report(open, worker.run(*open.buffer, *open.order, begin, std::min(rows, begin + chunk_rows)));
    // Whoever makes the last rows goes on with the whole batch.
    if (--open.chunks_left == 0 && !is_cancelled_ && !has_failed(open))
      report(open, worker.finish(*open.buffer));
    tickets_.finish(ticket);
  }

  static bool has_failed(OpenBatch& open) {
    const std::lock_guard lock(open.mutex);
    return open.error != nullptr;
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
    open.buffer->replacements.swap(open.replacements);
    open.replacements.clear();
  }

  LoaderOptions options_;
  int64_t samples_;
  PlanOf plan_of_;
  int chunks_;
  std::shared_ptr<BufferPool> pool_;
  Tickets tickets_;
  std::vector<OpenBatch> window_;
  std::atomic<bool> is_cancelled_ = false;
  ChunkWorker helper_;
  LoaderEpoch newest_;    // of the batch opened last
  LoaderState at_;        // given next
  LoaderState opens_at_;  // opened next
  int64_t next_ = 0;      // the same, counted since the start
  int64_t opened_ = 0;
  int64_t end_epoch_ = 0;
  int64_t buffer_bytes_ = 0;
  int64_t scratch_bytes_ = 0;
  bool is_started_ = false;
  std::optional<ThreadPool> threads_;
};

SampleSet LoaderOptions::set_at(int64_t samples, int64_t epoch) const {
  return set_of_epoch ? set_of_epoch(epoch) : SampleSet{name, place, samples, order};
}

std::unique_ptr<const EpochOrder> LoaderOptions::order_of(int64_t samples, int64_t epoch) const {
  const SampleSet set = set_at(samples, epoch);
  const OrderRequest request{set.samples, batch_size_of(*this, epoch), drop_last, seed, epoch};
  if (set.order) return set.order->epoch(request);
  return registry<Order>().make(shuffle ? orders::shuffled() : orders::in_order())->epoch(request);
}

Loader::Loader(int64_t source_size, LoaderOptions options, PlanOf plan_of)
    : engine_(std::make_unique<Engine>(source_size, std::move(options), std::move(plan_of))) {}
Loader::~Loader() = default;

int64_t Loader::memory_bytes(const LoaderOptions& options, const DataPlan& plan) {
  const LoaderOptions checked = checked_loader_options(options);
  const auto shared = std::shared_ptr<const DataPlan>(std::shared_ptr<void>(), &plan);
  const int64_t buffer_bytes = EpochLayout::make(0, shared, checked.batch_size).bytes;
  return expected_bytes(checked, buffer_bytes, plan.scratch_bytes);
}

// Every value as large as it may be; beyond 64 bits, the most they can count.
int64_t Loader::most_ragged_bytes(const LoaderOptions& options, const DataPlan& plan) {
  const LoaderOptions checked = checked_loader_options(options);
  const int64_t in_batch = plan.ragged_columns * checked.batch_size + plan.whole_values;
  const int64_t values =
      (checked.workers + 1) * plan.ragged_values + loader_buffers(checked) * in_batch;
  int64_t bytes = 0;
  if (__builtin_mul_overflow(values, checked.most_bytes_per_value, &bytes))
    return std::numeric_limits<int64_t>::max();
  return bytes;
}

void Loader::start(int64_t epoch, int64_t first_batch, int64_t end_epoch) {
  engine_->start(epoch, first_batch, end_epoch);
}
HostBatch Loader::next() { return engine_->next(); }
int64_t Loader::batches(int64_t epoch) const { return engine_->batches(epoch); }
const LoaderOptions& Loader::options() const { return engine_->options(); }
LoaderState Loader::state() const { return engine_->state(); }
void Loader::restore(const LoaderState& state) { start(state.epoch, state.next_batch); }
int64_t Loader::memory_bytes() const { return engine_->memory_bytes(); }
int64_t Loader::ragged_bytes() const { return engine_->ragged_bytes(); }
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
