// The batch engine: a window of open batches, workers that fill them, a consumer that helps.
#include "hearth/data/loader.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <mutex>
#include <optional>

#include "hearth/base/clock.h"
#include "hearth/base/error.h"
#include "hearth/base/thread_pool.h"
#include "hearth/data/chunk_worker.h"
#include "hearth/data/loader_sizes.h"
#include "hearth/data/rank_rows.h"
#include "hearth/data/sample_cache.h"
#include "hearth/data/tickets.h"
#include "hearth/data/worker_tuner.h"

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

class Loader::Engine {
 public:
  Engine(int64_t source_size, LoaderOptions options, PlanOf plan_of)
      : options_(checked_loader_options(std::move(options))),
        samples_(source_size),
        plan_of_(std::move(plan_of)),
        chunks_(loader_chunks(options_)),
        pool_(
            std::make_shared<BufferPool>(loader_buffers(options_), options_.most_bytes_per_value)),
        tuner_(options_.workers, loader_threads(options_)),
        tickets_(most_ahead(options_), chunks_, options_.workers),
        window_(static_cast<size_t>(most_ahead(options_))),
        ahead_(options_.depth),
        helper_(options_, is_cancelled_) {
    check_size();
    pool_->ragged_memory().most_bytes = options_.most_ragged_bytes;
    threads_.emplace(loader_threads(options_),
                     [this](int worker, const std::stop_token&) { work(worker); });
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
    given_at_ = clock_.seconds();
    open_window();
  }

  HostBatch next() {
    if (!is_started_) start(0, 0, -1);
    if (at_.epoch >= end_epoch_) return {};
    if (next_ >= opened_) open_window();
    if (next_ >= opened_) std::rethrow_exception(newest_.error);
    const double asked_at = clock_.seconds();
    finish_batch(next_);
    tune(asked_at);
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
    return loader_bytes(options_, buffer_bytes_, scratch_bytes_);
  }

  [[nodiscard]] const LoaderOptions& options() const { return options_; }
  [[nodiscard]] int64_t batches(int64_t epoch) const {
    return options_.order_of(samples_, epoch)->batches();
  }
  [[nodiscard]] int64_t ragged_bytes() const { return pool_->ragged_memory().held_bytes; }
  [[nodiscard]] int64_t overflow_count() const { return pool_->overflow_count(); }
  [[nodiscard]] const WorkerTuner& tuner() const { return tuner_; }

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
                        ", and `last_batch: drop` drops the rest. Lower batch_size or keep it.",
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

  // Opens batches up to `ahead_`. Small ones are opened several at once, so that a worker is woken
  // for all of them. A batch without a plan ends the window before it.
  void open_window() {
    const bool are_small = ahead_ > options_.depth;
    if (are_small && opened_ - next_ > ahead_ / 2) return;
    const int64_t before = opened_;
    while (opens_at_.epoch < end_epoch_ && opened_ < next_ + ahead_) {
      make_ready(opens_at_);
      if (newest_.error) break;
      open_batch(newest_);
    }
    tickets_.open(opened_ - before);
  }

  void open_batch(const LoaderEpoch& epoch) {
    OpenBatch& open = entry(opened_);
    const int64_t index = opens_at_.next_batch;
    const int64_t all = batch_size_of(options_, epoch.epoch);
    const RankRows own = made_rows(options_, *epoch.layout->plan, epoch.order->rows(index));
    const bool is_padded = options_.last_batch == LastBatch::kPad;
    const int64_t rows =
        is_padded ? made_rows(options_, *epoch.layout->plan, all).count() : own.count();
    open.buffer = pool_->acquire(epoch.layout, index, own.count(), rows);
    open.buffer->first_row = own.begin;
    open.buffer->counts_nothing = own.counts_nothing;
    open.batch = HostBatch(open.buffer);
    open.order = epoch.order;
    open.chunks_left = chunks_;
    open.error = nullptr;
    open.error_row = -1;
    opens_at_ = after(opens_at_, *epoch.order);
    ++opened_;
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
      if (plan->cache) plan->cache->open();
      const int64_t rows = most_made_rows(options_, *plan, batch_size_of(options_, at.epoch));
      EpochLayout layout = EpochLayout::make(at.epoch, std::move(plan), rows);
      layout.set = newest_.set;
      newest_.layout = std::make_shared<const EpochLayout>(std::move(layout));
      ahead_ = batches_ahead(options_, *newest_.layout);
      buffer_bytes_ = std::max(buffer_bytes_, newest_.layout->bytes);
      scratch_bytes_ = std::max(scratch_bytes_, newest_.layout->plan->scratch_bytes);
    } catch (...) {
      newest_.error = std::current_exception();
    }
  }

  void work(int number) {
    ChunkWorker worker(options_, is_cancelled_);
    while (const auto ticket = tickets_.claim(number)) run(worker, *ticket);
  }

  void tune(double asked_at) {
    const double now = clock_.seconds();
    if (tuner_.note(now - asked_at, now - std::exchange(given_at_, now)))
      tickets_.set_active(tuner_.active());
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
      report(open, worker.finish(*open.buffer, *open.order, open.replacements));
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
  WorkerTuner tuner_;
  Stopwatch clock_;
  double given_at_ = 0;
  Tickets tickets_;
  std::vector<OpenBatch> window_;
  int ahead_;  // batches of the newest layout that are made ahead
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

Loader::Loader(int64_t source_size, LoaderOptions options, PlanOf plan_of)
    : engine_(std::make_unique<Engine>(source_size, std::move(options), std::move(plan_of))) {}
Loader::~Loader() = default;

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
int Loader::active_workers() const { return engine_->tuner().active(); }
double Loader::wait_share() const { return engine_->tuner().wait_share(); }
double Loader::waited_seconds() const { return engine_->tuner().waited_seconds(); }

}  // namespace hearth
