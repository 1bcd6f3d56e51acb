// Follows the log of a run that trains, and lets trackers hear of it; never in the training's way.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "hearth/core/log_reader.h"
#include "hearth/tracking/tracker.h"

namespace hearth {

// A tracker with its name, for messages.
struct NamedTracker {
  std::string name;
  std::unique_ptr<Tracker> tracker;
};

// Its thread has the lowest priority and looks at the log twice a second.
class LogFollower {
 public:
  LogFollower(std::filesystem::path run, std::vector<NamedTracker> trackers);
  ~LogFollower();
  LogFollower(const LogFollower&) = delete;
  LogFollower& operator=(const LogFollower&) = delete;

  // Lets the trackers have all that is in the log now, on the caller's thread, and settle.
  void catch_up();
  // What failed since the last call, a sentence each; the same thing is said once.
  [[nodiscard]] std::vector<std::string> take_faults();

 private:
  struct Following {
    NamedTracker named;
    std::unique_ptr<LogReader> log;  // none before it is begun, and after a failure
    std::chrono::steady_clock::time_point next_try = {};
  };
  void work();
  // Until nothing is new; or, where it need not settle, until the caller wants something.
  void follow(Following& following, bool settles);
  void begin(Following& following) const;
  void read(Following& following, bool settles) const;
  // What fails is a fault to be told, and tried again after a while.
  template <class Work>
  void attempt(Following& following, const Work& work);

  std::filesystem::path run_;
  std::vector<Following> followings_;
  std::mutex mutex_;  // over all but the flags
  std::condition_variable wake_;
  std::atomic<bool> is_wanted_ = false;  // by the caller: the thread lets go soon
  bool is_stopping_ = false;
  std::vector<std::string> faults_;
  std::set<std::string> told_;
  std::thread thread_;
};

// All of a log at once, for a run that is not trained by this process. Throws what a tracker does.
void track_log(const std::filesystem::path& run, Tracker& tracker);

}  // namespace hearth
