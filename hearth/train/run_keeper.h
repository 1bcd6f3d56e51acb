// What a run writes into its folder while it trains: log, history, checkpoints. What cannot be
// written is said and tried again; it never costs the training.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "hearth/base/task_queue.h"
#include "hearth/core/run_log.h"
#include "hearth/tensor/state.h"
#include "hearth/tracking/log_follower.h"
#include "hearth/train/data_fingerprints.h"
#include "hearth/train/run_files.h"
#include "hearth/train/run_folder.h"
#include "hearth/train/run_origin.h"

namespace hearth {

struct RunKeeping {
  RunFolder folder;
  RunOrigin origin;  // what its checkpoints say they come from
  std::map<std::string, std::shared_ptr<Source>> sources;  // opened, by the name of their set
  int64_t keep = 2;                                        // step checkpoints to keep
  std::vector<Choice<Tracker>> trackers;                   // that follow the log
  std::function<void(const std::string&)> notice;
};

// What a checkpoint says of the run beside the trainer's own state.
struct RunRecord {
  uint64_t log_bytes = 0;
  std::string epoch_lines;  // of the log, those that a whole epoch came to
  Json data;                // fingerprints
  Json machine;
  std::map<std::string, State> owed;  // named checkpoints that the disk had refused by then
  // DataError when the state has none, or something else there.
  [[nodiscard]] static RunRecord of(const State& state);
};

class RunKeeper {
 public:
  explicit RunKeeper(RunKeeping keeping);
  ~RunKeeper();
  RunKeeper(const RunKeeper&) = delete;
  RunKeeper& operator=(const RunKeeper&) = delete;

  // Removes drafts that a killed process left, where that can be done.
  void tidy();
  // Starts log and history anew, for a run without a checkpoint; the history of a run stays.
  void begin();
  // Takes them up as a checkpoint says. Says what is lost of them, and what is not as it was then:
  // data, machine.
  void resume(const RunRecord& record, int64_t step);
  [[nodiscard]] bool is_open() const { return log_ != nullptr; }

  void log(Event event);
  // An event that a checkpoint keeps too, so that it survives the loss of the log.
  void log_epoch(Event event);
  void write_history(Event event);
  // Files of traces, named from the folder.
  [[nodiscard]] RunFiles& files() { return files_; }

  // Copies the state and writes it beside the training. Waits only when the disk is behind by more
  // copies than may be kept; all that is saved or removed is so in order.
  void save_in_background(const State& state, int64_t step);
  // The same under a name. One that fails is owed: kept, here and in the checkpoints of steps, and
  // tried again before each of these. ConfigError for a name that no checkpoint may have.
  void save_named(const State& state, const std::string& name, int64_t step);
  // One that was saved, or is owed, is no more.
  void remove_named(const std::string& name);
  // For all that are being saved.
  void wait_for_save();
  [[nodiscard]] bool is_saving() const;
  // Tries again what is owed, at once.
  void pay_owed(int64_t step);
  // The run's last checkpoint; DataError when several tries failed, or something is still owed.
  void save_at_end(const State& state, int64_t step);
  void flush();
  // Lets the trackers have all that is on disk now.
  void settle_trackers();

  // Whether the folder was deleted or moved from under the run, and is to be made again; cheap.
  [[nodiscard]] bool is_folder_wanted() const {
    return log_ && log_->is_gone() && std::chrono::steady_clock::now() >= remake_at_;
  }
  // It could not be made again: says so once, and waits a while before it is wanted again.
  void put_off_remake(const std::string& reason);
  void put_off_no_longer() { remake_at_ = {}; }
  // Takes up log and history in a folder that was made again.
  void remake(int64_t step);

 private:
  struct Snapshot {
    State state;
    std::shared_future<uint64_t> log_bytes;
    std::string epoch_lines;
  };
  // How a save went, to be told by the training thread.
  struct Outcome {
    std::string which;  // "at step 20"; empty: nothing was to be saved
    int64_t step = 0;
    std::vector<std::string> notes = {};
    std::string log_fault = {};  // of the flush before it
    std::string failure = {};
  };
  using Outcomes = std::vector<Outcome>;
  struct PendingSave {
    uint64_t bytes;
    std::future<Outcomes> outcomes;
  };
  [[nodiscard]] Snapshot snapshot(State state);
  [[nodiscard]] State whole(const Snapshot& snapshot, std::string& log_fault);
  // By the thread that writes, or while it has nothing to do.
  [[nodiscard]] Outcome write_step(const Snapshot& taken, int64_t step);
  [[nodiscard]] Outcome write_named(const Snapshot& taken, const std::string& name, int64_t step);
  [[nodiscard]] Outcome write_complete(const State& complete, const std::string& name,
                                       int64_t step) const;
  [[nodiscard]] Outcomes write_owed(int64_t step);
  void add_owed(State& state) const;
  // Whether it is safe.
  bool tell(const Outcome& outcome);
  void tell_saved(size_t most_left, uint64_t most_bytes_left);
  void make_room(uint64_t bytes);
  void add_pending(uint64_t bytes, std::function<Outcomes()> write);
  void check_nothing_owed(int64_t step) const;
  void open_history();
  void start_trackers();
  void tell_tracker_faults();
  void note_once(const std::string& text);

  RunKeeping keeping_;
  Json machine_;
  Json origin_;  // the origin as values of a state, written out once
  DataFingerprints fingerprints_;
  RunFiles files_;
  std::unique_ptr<RunLog> log_;
  std::unique_ptr<RunLog> history_;
  std::unique_ptr<LogFollower> trackers_;  // none where the config has none
  std::string epoch_lines_;
  std::map<std::string, State> owed_;  // the writing thread's own, as long as it has work
  std::set<std::string> noted_;
  std::chrono::steady_clock::time_point remake_at_ = {};
  std::deque<PendingSave> pending_;
  TaskQueue writer_;  // last: it writes what is left before the rest goes
};

}  // namespace hearth
