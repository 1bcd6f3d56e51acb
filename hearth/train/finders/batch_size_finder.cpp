// A batch size found by trying.
#include "hearth/train/finders/batch_size_finder.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

#include "hearth/base/clock.h"
#include "hearth/base/error.h"
#include "hearth/base/memory.h"
#include "hearth/base/text.h"
#include "hearth/schedule/schedule.h"
#include "hearth/train/finders/timed_steps.h"
#include "hearth/train/finders/trial.h"

namespace hearth {
namespace {

constexpr int64_t kFirstSize = 8;
constexpr int64_t kLargestSize = int64_t{1} << 24;
constexpr double kShareOfMemory = 0.8;
constexpr double kNearlyAsFast = 0.95;
constexpr double kFaster = 1.03;  // less is noise
constexpr int kSlowerInARow = 2;
// An epoch of fewer is fast, but hardly learns; a config that has fewer wants it so.
constexpr int64_t kFewestStepsPerEpoch = 10;

// Sizes as they are tried: doubled from the first on, and the configured one among them.
class Sizes {
 public:
  Sizes(const BatchSizeSearch& search, int64_t configured)
      : doubled_(search.from.value_or(std::min(kFirstSize, configured))), configured_(configured) {}
  [[nodiscard]] int64_t next() {
    if (configured_ == doubled_) configured_ = 0;
    if (configured_ > 0 && configured_ < doubled_) return std::exchange(configured_, 0);
    return std::exchange(doubled_, doubled_ * 2);
  }

 private:
  int64_t doubled_;
  int64_t configured_;  // 0: it had its turn
};

bool speaks_of_memory(const std::string& message) {
  return message.find("out of memory") != message.npos ||
         message.find("not enough memory") != message.npos ||
         message.find("allocate memory") != message.npos;
}

class BatchSizeTrial {
 public:
  BatchSizeTrial(const FinderTarget& target, const BatchSizeSearch& search,
                 const FinderSettings& settings)
      : config_(endless_trial(target.config)),
        search_(search),
        settings_(of_all_ranks(target.config, settings)),
        ranks_(settings_.group) {
    const DataOptions data = ExperimentOptions::schema().read(target.config).data;
    found_.is_scheduled = !data.batch_size.is_constant();
    found_.configured =
        std::max<int64_t>(std::llround(ScheduledValue(data.batch_size).at({0, 0, {1, 1, 1}})), 1);
    found_.epochs = ExperimentOptions::schema().read(target.config).train.epochs;
    check();
    found_.memory_limit = search.memory_bytes.value_or(own_share_of_memory());
  }

  BatchSizeFinding run() {
    Sizes sizes(search_, found_.configured);
    int64_t size = sizes.next();
    while (size <= search_.to.value_or(kLargestSize) && try_size(size)) {
      // One of all samples is the largest that there is.
      if (size >= samples_) break;
      if (!search_.to && is_settled(size)) break;
      size = sizes.next();
      if (!search_.to) size = std::min(size, std::max(samples_, found_.configured));
    }
    found_.was_interrupted = stops();
    found_.seconds = watch_.seconds();
    return std::move(found_);
  }

 private:
  void check() const {
    const int64_t from = search_.from.value_or(1);
    if (from < 1 || (search_.to && *search_.to < from) ||
        std::max(from, search_.to.value_or(1)) > kLargestSize)
      throw ConfigError("batch sizes are tried from 1 or more to at most " +
                        human_count(kLargestSize) + ", but not from " + std::to_string(from) +
                        " to " + std::to_string(search_.to.value_or(kLargestSize)) + ".");
    if (!(search_.seconds > 0) || !std::isfinite(search_.seconds))
      throw ConfigError("each size is tried for some seconds, but not for " +
                        shortest_number(search_.seconds) + ".");
  }

  // Of the host that has least for each of its processes.
  [[nodiscard]] uint64_t own_share_of_memory() const {
    const double own = kShareOfMemory * static_cast<double>(available_memory()) /
                       static_cast<double>(processes_on_this_host(settings_));
    return static_cast<uint64_t>(-ranks_.most("memory", -own));
  }

  [[nodiscard]] bool stops() {
    was_interrupted_ = was_interrupted_ || is_interrupted(settings_, ranks_);
    return was_interrupted_;
  }

  // False when there is no point in larger ones.
  bool try_size(int64_t size) {
    if (stops()) return false;
    const uint64_t foreseen = foreseen_memory(found_.fitting(), size);
    if (foreseen > found_.memory_limit) return refuse(size, foreseen);
    say(size);
    set_option(config_, "data.batch_size", std::to_string(size));
    try {
      add(size, time_steps(config_, search_.seconds, settings_));
      return found_.rows.back().fits;
    } catch (const std::bad_alloc&) {
      if (!ranks_.is_alone()) throw;  // the others may have had enough, and wait
      return refuse(size, foreseen);
    } catch (const Error& error) {
      if (!ranks_.is_alone()) throw;
      if (speaks_of_memory(error.message())) return refuse(size, foreseen);
      if (size == found_.configured) throw;  // then the size is not to blame
      found_.rows.push_back({.size = size, .fits = false, .refusal = error.message()});
      return size < found_.configured;
    }
  }

  bool refuse(int64_t size, uint64_t bytes) {
    found_.rows.push_back({.size = size, .fits = false, .memory_bytes = bytes});
    return false;
  }

  void add(int64_t size, const TimedSteps& timed) {
    samples_ = timed.training_samples;
    was_interrupted_ = was_interrupted_ || timed.was_interrupted;
    found_.batches_per_step = std::max<int64_t>(timed.samples_per_step / size, 1);
    found_.rows.push_back({.size = size,
                           .fits = timed.process_bytes <= found_.memory_limit,
                           .samples_per_second = timed.samples_per_second,
                           .step_seconds = timed.step_seconds,
                           .wait_share = timed.wait_share,
                           .memory_bytes = std::max(timed.process_bytes, timed.tensor_bytes),
                           .steps_per_epoch = timed.steps_per_epoch});
  }

  [[nodiscard]] bool is_settled(int64_t size) const {
    if (size < found_.configured) return false;
    double best = 0;
    int slower = 0;
    for (const BatchSizeRow& row : found_.rows) {
      slower = row.samples_per_second > best * kFaster ? 0 : slower + 1;
      best = std::max(best, row.samples_per_second);
    }
    return slower >= kSlowerInARow;
  }

  // Nobody knows yet how many sizes it will be.
  void say(int64_t size) const {
    if (!settings_.on_progress) return;
    const auto done = static_cast<int64_t>(found_.rows.size());
    const int64_t end = search_.to.value_or(std::max(found_.configured, size) * 4);
    const auto left = static_cast<int64_t>(
        std::ceil(std::log2(static_cast<double>(end) / static_cast<double>(size)) + 1));
    const double each = done > 0 ? watch_.seconds() / static_cast<double>(done) : search_.seconds;
    settings_.on_progress({done, done + left, each * static_cast<double>(left),
                           "batch size " + std::to_string(size)});
  }

  Node config_;
  BatchSizeSearch search_;
  FinderSettings settings_;
  RankMeeting ranks_;
  bool was_interrupted_ = false;
  BatchSizeFinding found_;
  int64_t samples_ = kLargestSize;
  Stopwatch watch_;
};

}  // namespace

std::vector<BatchSizeRow> BatchSizeFinding::fitting() const {
  std::vector<BatchSizeRow> found = rows;
  std::erase_if(found, [](const BatchSizeRow& row) { return !row.fits; });
  return found;
}

uint64_t foreseen_memory(const std::vector<BatchSizeRow>& rows, int64_t size) {
  if (rows.size() < 2) return 0;
  const BatchSizeRow& last = rows.back();
  const BatchSizeRow& before = rows[rows.size() - 2];
  const double grown = last.memory_bytes > before.memory_bytes
                           ? static_cast<double>(last.memory_bytes - before.memory_bytes)
                           : 0;
  const double per_sample = grown / static_cast<double>(last.size - before.size);
  return last.memory_bytes +
         static_cast<uint64_t>(per_sample *
                               static_cast<double>(std::max<int64_t>(size - last.size, 0)));
}

void choose_batch_size(BatchSizeFinding& finding) {
  std::vector<BatchSizeRow> rows = finding.fitting();
  if (rows.empty()) {
    finding.reason = "no size fits into " + human_bytes(finding.memory_limit) + ".";
    return;
  }
  const size_t fitting = rows.size();
  const auto is_coarse = [&](const BatchSizeRow& row) {
    return row.steps_per_epoch < kFewestStepsPerEpoch && row.size > finding.configured;
  };
  if (!is_coarse(rows.front())) std::erase_if(rows, is_coarse);
  const auto by_rate = [](const BatchSizeRow& a, const BatchSizeRow& b) {
    return a.samples_per_second < b.samples_per_second;
  };
  const BatchSizeRow fastest = *std::max_element(rows.begin(), rows.end(), by_rate);
  const auto chosen = std::find_if(rows.begin(), rows.end(), [&](const BatchSizeRow& row) {
    return row.samples_per_second >= kNearlyAsFast * fastest.samples_per_second;
  });
  finding.suggestion = chosen->size;
  finding.reason = chosen->size == fastest.size
                       ? "it has most samples a second"
                       : "it is within 5 % of the fastest, " + std::to_string(fastest.size) +
                             ", with more steps an epoch and less memory";
  if (rows.size() < fitting)
    finding.reason +=
        " of those that leave an epoch " + std::to_string(kFewestStepsPerEpoch) + " steps or more";
  finding.reason += ".";
}

BatchSizeFinding find_batch_size(const FinderTarget& target, const BatchSizeSearch& search,
                                 const FinderSettings& settings) {
  BatchSizeFinding finding = BatchSizeTrial(target, search, settings).run();
  if (finding.was_interrupted) return finding;
  choose_batch_size(finding);
  add_consequences(target.config, finding);
  return finding;
}

}  // namespace hearth
