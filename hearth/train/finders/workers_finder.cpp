// How many data workers let training wait least.
#include "hearth/train/finders/workers_finder.h"

#include <algorithm>
#include <cmath>

#include "hearth/base/clock.h"
#include "hearth/base/cores.h"
#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/train/finders/timed_steps.h"
#include "hearth/train/finders/trial.h"

namespace hearth {
namespace {

constexpr int64_t kMostWorkers = 1024;
constexpr double kLeastGain = 1.05;  // less is noise
constexpr int kRounds = 4;           // of the two that count in the end

class WorkersTrial {
 public:
  WorkersTrial(const FinderTarget& target, const WorkersSearch& search,
               const FinderSettings& settings)
      : config_(endless_trial(target.config)),
        search_(search),
        settings_(of_all_ranks(target.config, settings)),
        ranks_(settings_.group),
        most_(search.most.value_or(most_cores())) {
    if (most_ < 0 || most_ > kMostWorkers)
      throw ConfigError("workers are tried from 0 to at most " + std::to_string(kMostWorkers) +
                        ", but not to " + std::to_string(most_) + ".");
    if (!(search.seconds > 0) || !std::isfinite(search.seconds))
      throw ConfigError("each trial takes some seconds, but not " +
                        shortest_number(search.seconds) + ".");
    const DataOptions data = ExperimentOptions::schema().read(target.config).data;
    add_row(data.workers, data.depth);
    for (int64_t workers = 0; workers <= most_; ++workers) add_row(workers, data.depth);
    total_ = static_cast<int64_t>(found_.rows.size()) + kDepths + 2 * kRounds;
  }

  // First the numbers of workers, then depths for the best of them; then the best and the
  // configured once more.
  WorkersFinding run() {
    for (size_t i = 0; i < found_.rows.size(); ++i) measure(i);
    const WorkersRow best = found_.rows[fastest()];
    for (const int64_t depth : {1, 2, 4, 8}) {
      const size_t before = found_.rows.size();
      add_row(best.workers, depth);
      if (found_.rows.size() > before) measure(before);
    }
    found_.fastest = fastest();
    if (found_.fastest != 0) compare();
    found_.was_interrupted = stops();
    found_.seconds = watch_.seconds();
    return std::move(found_);
  }

 private:
  static constexpr int64_t kDepths = 3;

  // Of the process that has most: all try the same.
  [[nodiscard]] int64_t most_cores() const {
    return static_cast<int64_t>(ranks_.most("cores", available_cores()));
  }

  [[nodiscard]] bool stops() {
    was_interrupted_ = was_interrupted_ || is_interrupted(settings_, ranks_);
    return was_interrupted_;
  }

  void add_row(std::optional<int64_t> workers, int64_t depth) {
    for (const WorkersRow& row : found_.rows)
      if (row.workers == workers && row.depth == depth) return;
    found_.rows.push_back({.workers = workers, .depth = depth});
  }

  [[nodiscard]] size_t fastest() const {
    size_t best = 0;
    for (size_t i = 0; i < found_.rows.size(); ++i)
      if (found_.rows[i].samples_per_second > found_.rows[best].samples_per_second) best = i;
    return best;
  }

  // In turns, because machines have moods; what made it the fastest does not count again, because
  // of many the fastest is also the luckiest.
  void compare() {
    for (const size_t row : {size_t{0}, found_.fastest})
      found_.rows[row] = {.workers = found_.rows[row].workers, .depth = found_.rows[row].depth};
    for (int round = 0; round < kRounds; ++round)
      for (const size_t row : {size_t{0}, found_.fastest}) measure(row);
  }

  void measure(size_t index) {
    if (stops()) return;
    WorkersRow& row = found_.rows[index];
    say(row);
    Node& data = *config_.find("data");
    if (row.workers)
      data.set("workers", Node::scalar(std::to_string(*row.workers)));
    else
      data.erase("workers");
    set_option(config_, "data.depth", std::to_string(row.depth));
    const TimedSteps timed = time_steps(config_, search_.seconds, settings_);
    was_interrupted_ = was_interrupted_ || timed.was_interrupted;
    const auto before = static_cast<double>(row.trials++);
    const auto mean = [&](double old, double value) {
      return (old * before + value) / (before + 1);
    };
    row.samples_per_second = mean(row.samples_per_second, timed.samples_per_second);
    row.wait_share = mean(row.wait_share, timed.wait_share);
    row.least =
        before == 0 ? timed.samples_per_second : std::min(row.least, timed.samples_per_second);
    row.most = std::max(row.most, timed.samples_per_second);
    ++done_;
  }

  void say(const WorkersRow& row) const {
    if (!settings_.on_progress) return;
    const double each = done_ > 0 ? watch_.seconds() / static_cast<double>(done_) : search_.seconds;
    const int64_t left = std::max<int64_t>(total_ - done_, 1);
    settings_.on_progress(
        {done_, std::max(total_, done_ + 1), each * static_cast<double>(left), row.name()});
  }

  Node config_;
  WorkersSearch search_;
  FinderSettings settings_;
  RankMeeting ranks_;
  bool was_interrupted_ = false;
  int64_t most_;
  WorkersFinding found_;
  int64_t total_ = 0;
  int64_t done_ = 0;
  Stopwatch watch_;
};

}  // namespace

void choose_workers(WorkersFinding& finding) {
  const WorkersRow& now = finding.rows.front();
  const WorkersRow& best = finding.rows[finding.fastest];
  finding.gain = now.samples_per_second > 0 ? best.samples_per_second / now.samples_per_second : 1;
  const std::string waits = "training waits " + rounded_number(now.wait_share * 100, 2) +
                            "% of its time for data with " + now.name();
  if (finding.gain < kLeastGain || best.least <= now.most) {
    finding.reason =
        "nothing to gain: " + waits + ", and no other is faster by 5 % or more, trial after trial.";
    finding.fastest = 0;
    return;
  }
  finding.reason =
      waits + ", and " + rounded_number(best.wait_share * 100, 2) + "% with " + best.name() + ".";
}

WorkersFinding find_workers(const FinderTarget& target, const WorkersSearch& search,
                            const FinderSettings& settings) {
  WorkersFinding finding = WorkersTrial(target, search, settings).run();
  if (!finding.was_interrupted) choose_workers(finding);
  return finding;
}

}  // namespace hearth
