// Follows the log of a run that trains.
#include "hearth/tracking/log_follower.h"

#include <sys/resource.h>

#include <utility>

namespace hearth {
namespace {

constexpr auto kLookEvery = std::chrono::milliseconds(500);
constexpr auto kTryAgainAfter = std::chrono::seconds(10);
constexpr int kLowestPriority = 19;

// On Linux this is of the calling thread alone. Where it is refused, it is done without.
void step_back() { (void)::setpriority(PRIO_PROCESS, 0, kLowestPriority); }

fs::path log_of(const fs::path& run) { return run / "log.jsonl"; }

}  // namespace

LogFollower::LogFollower(fs::path run, std::vector<NamedTracker> trackers) : run_(std::move(run)) {
  for (NamedTracker& tracker : trackers) followings_.push_back({std::move(tracker), {}, {}});
  // Here and now, so that a folder nobody may write into is told at once.
  for (Following& following : followings_) attempt(following, [&] { begin(following); });
  thread_ = std::thread([this] { work(); });
}

LogFollower::~LogFollower() {
  is_wanted_ = true;
  {
    const std::lock_guard lock(mutex_);
    is_stopping_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void LogFollower::catch_up() {
  is_wanted_ = true;
  const std::lock_guard lock(mutex_);
  is_wanted_ = false;
  for (Following& following : followings_) {
    following.next_try = {};
    follow(following, true);
  }
}

std::vector<std::string> LogFollower::take_faults() {
  is_wanted_ = true;
  const std::lock_guard lock(mutex_);
  is_wanted_ = false;
  return std::exchange(faults_, {});
}

void LogFollower::work() {
  step_back();
  std::unique_lock lock(mutex_);
  while (!is_stopping_) {
    for (Following& following : followings_) follow(following, false);
    // Also lets those in who want to.
    wake_.wait_for(lock, kLookEvery, [this] { return is_stopping_; });
  }
}

template <class Work>
void LogFollower::attempt(Following& following, const Work& work) {
  try {
    work();
  } catch (const std::exception& error) {
    following.log.reset();
    following.next_try = std::chrono::steady_clock::now() + kTryAgainAfter;
    const std::string fault = following.named.name + ": " + error.what() +
                              " The training goes on without it, and it is tried again.";
    if (told_.insert(fault).second) faults_.push_back(fault);
  }
}

void LogFollower::follow(Following& following, bool settles) {
  if (std::chrono::steady_clock::now() < following.next_try) return;
  attempt(following, [&] { read(following, settles); });
}

void LogFollower::begin(Following& following) const {
  following.named.tracker->begin(run_);
  following.log = std::make_unique<LogReader>(log_of(run_));
}

void LogFollower::read(Following& following, bool settles) const {
  if (!following.log) begin(following);
  Tracker& tracker = *following.named.tracker;
  for (bool is_more = true; is_more && (settles || !is_wanted_);) {
    const LogNews news = following.log->next();
    is_more = news.index() != 0;
    if (const auto* event = std::get_if<Event>(&news)) tracker.take(*event);
    if (std::holds_alternative<LogCut>(news)) begin(following);
  }
  settles ? tracker.settle() : tracker.flush();
}

void track_log(const fs::path& run, Tracker& tracker) {
  LogReader log(log_of(run));
  tracker.begin(run);
  for (LogNews news = log.next(); news.index() != 0; news = log.next()) {
    if (std::holds_alternative<LogCut>(news)) {
      log = LogReader(log_of(run));
      tracker.begin(run);
    } else {
      tracker.take(std::get<Event>(news));
    }
  }
  tracker.settle();
}

}  // namespace hearth
