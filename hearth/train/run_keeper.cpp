// Log, history and checkpoints of a run that trains.
#include "hearth/train/run_keeper.h"

#include <nlohmann/json.hpp>

#include "hearth/base/clock.h"
#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/core/log_repair.h"
#include "hearth/train/checkpoint.h"
#include "hearth/train/machine.h"

namespace hearth {
namespace {

constexpr int kLastSaveTries = 3;
constexpr auto kRemakeEvery = std::chrono::seconds(1);
// Epochs a checkpoint knows by itself: thousands, and no burden on each save.
constexpr size_t kEpochLinesBytes = 1 << 20;

}  // namespace

RunRecord RunRecord::of(const State& state) {
  try {
    const Json& run = state.values.at("run");
    RunRecord record = {run.at("log_bytes").get<uint64_t>(),
                        run.at("epoch_lines").get<std::string>(),
                        run.at("data"),
                        run.at("machine"),
                        {}};
    for (const auto& name : run.value("owed", std::vector<std::string>()))
      record.owed.emplace(name, state.part("owed/" + name));
    return record;
  } catch (const nlohmann::json::exception& error) {
    throw DataError("the checkpoint's record of its run is of another shape than this program's: " +
                    std::string(error.what()));
  }
}

RunKeeper::RunKeeper(RunKeeping keeping)
    : keeping_(std::move(keeping)),
      machine_(machine_facts()),
      fingerprints_(keeping_.sources),
      files_(keeping_.folder.path()) {
  State only_origin;
  keeping_.origin.add_to(only_origin);
  origin_ = std::move(only_origin.values);
}

RunKeeper::~RunKeeper() {
  if (pending_.valid()) pending_.wait();
  if (trackers_) trackers_->catch_up();
}

void RunKeeper::tidy() {
  for (const fs::path& folder : {keeping_.folder.path(), keeping_.folder.checkpoints()}) try {
      remove_stale_drafts(folder);
    } catch (const DataError& error) {
      note_once(error.what());
    }
  RunFiles::tidy(keeping_.folder.path());
}

void RunKeeper::begin() {
  if (!history_) open_history();
  log_ = std::make_unique<RunLog>(keeping_.folder.log(), 0);
  start_trackers();
}

void RunKeeper::resume(const RunRecord& record, int64_t step) {
  if (!history_) open_history();
  epoch_lines_ = record.epoch_lines;
  owed_ = record.owed;
  const MendedLog mended = mend_log(keeping_.folder.log(), record.log_bytes, epoch_lines_, step);
  log_ = std::make_unique<RunLog>(keeping_.folder.log(), mended.bytes);
  if (!mended.missing.empty()) {
    keeping_.notice(mended.missing);
    write_history({"log_mended", step, 0, 0, {}, {{"missing", mended.missing}}});
  }
  for (const std::string& difference : data_differences(record.data, fingerprints_.values())) {
    keeping_.notice(difference);
    write_history({"data_changed", step, 0, 0, {}, {{"what", difference}}});
  }
  for (const std::string& difference : machine_differences(record.machine, machine_))
    keeping_.notice("the bits may differ: " + difference);
  start_trackers();
}

// Once the log is as it goes on from here.
void RunKeeper::start_trackers() {
  if (keeping_.trackers.empty()) return;
  std::vector<NamedTracker> trackers;
  for (const Choice<Tracker>& choice : keeping_.trackers)
    trackers.push_back({choice.name(), registry<Tracker>().make(choice)});
  trackers_ = std::make_unique<LogFollower>(keeping_.folder.path(), std::move(trackers));
  tell_tracker_faults();
}

void RunKeeper::settle_trackers() {
  if (!trackers_) return;
  trackers_->catch_up();
  tell_tracker_faults();
}

void RunKeeper::tell_tracker_faults() {
  if (!trackers_) return;
  for (const std::string& fault : trackers_->take_faults()) note_once(fault);
}

// A line that a kill tore is cut off.
void RunKeeper::open_history() {
  const fs::path path = keeping_.folder.history();
  history_ = std::make_unique<RunLog>(path, whole_lines_bytes(path));
}

void RunKeeper::log(Event event) { log_->write(std::move(event)); }

void RunKeeper::log_epoch(Event event) {
  event.time = unix_seconds();
  epoch_lines_ += to_line(event);
  if (epoch_lines_.size() > kEpochLinesBytes)
    epoch_lines_.erase(0, epoch_lines_.find('\n', kEpochLinesBytes / 2) + 1);
  log(std::move(event));
}

void RunKeeper::write_history(Event event) {
  if (history_) history_->write(std::move(event));
}

RunKeeper::Snapshot RunKeeper::snapshot(State state) {
  return {std::move(state), log_->mark(), epoch_lines_};
}

// With all that a later process needs beside the trainer's own state. The log and the files that it
// names come first: a checkpoint must not know events that the disk does not.
State RunKeeper::whole(const Snapshot& snapshot) {
  const std::string file_fault = files_.flush();
  log_fault_ = log_->flush();
  if (log_fault_.empty()) log_fault_ = file_fault;
  State state = snapshot.state;
  state.values["run"] = {{"log_bytes", snapshot.log_bytes.get()},
                         {"epoch_lines", snapshot.epoch_lines},
                         {"data", fingerprints_.values()},
                         {"machine", machine_}};
  state.values.update(origin_);
  return state;
}

// So that a disk which refuses one file to the end does not cost it, once the process is gone.
State RunKeeper::with_owed(State state) const {
  for (const auto& [name, owed] : owed_) {
    state.values["run"]["owed"].push_back(name);
    state.add("owed/" + name, owed);
  }
  return state;
}

void RunKeeper::save_in_background(State state, int64_t step) {
  wait_for_save();
  pending_step_ = step;
  pending_ = std::async(std::launch::async, [this, step, taken = snapshot(std::move(state))] {
    return CheckpointFolder(keeping_.folder.checkpoints())
        .save(with_owed(whole(taken)), step, keeping_.keep);
  });
}

void RunKeeper::wait_for_save() {
  if (pending_.valid())
    (void)was_saved("at step " + std::to_string(pending_step_), pending_step_,
                    [this] { return pending_.get(); });
}

// A checkpoint that could not be written does not stop the training: the one before still stands.
bool RunKeeper::was_saved(const std::string& which, int64_t step,
                          const std::function<std::vector<std::string>()>& save) {
  std::string failure;
  tell_tracker_faults();
  try {
    for (const std::string& note : save()) note_once(note);
    write_history({"checkpoint", step, 0, 0, {}, {{"which", which}}});
  } catch (const DataError& error) {
    failure = error.what();
  } catch (const std::bad_alloc&) {
    failure = "there is not enough memory.";
  }
  if (!log_fault_.empty()) note_once(std::exchange(log_fault_, ""));
  if (failure.empty()) return true;
  keeping_.notice("the checkpoint " + which + " was not saved: " + failure);
  write_history({"checkpoint_failed", step, 0, 0, {}, {{"which", which}, {"reason", failure}}});
  return false;
}

bool RunKeeper::save_named(State state, const std::string& name, int64_t step) {
  wait_for_save();
  State complete = whole(snapshot(std::move(state)));
  const bool is_saved = was_saved("'" + name + "'", step, [&] {
    CheckpointFolder(keeping_.folder.checkpoints()).save_named(complete, name);
    return std::vector<std::string>();
  });
  owed_.erase(name);
  if (!is_saved) owed_.emplace(name, copy(complete));
  return is_saved;
}

void RunKeeper::remove_named(const std::string& name) {
  owed_.erase(name);
  std::error_code error;
  fs::remove(CheckpointFolder(keeping_.folder.checkpoints()).path_of(name), error);
  if (error) note_once("cannot remove the checkpoint '" + name + "': " + error.message() + ".");
}

std::vector<std::string> RunKeeper::pay_owed(int64_t step) {
  std::vector<std::string> paid;
  if (!owed_.empty()) wait_for_save();
  for (const auto& [name, state] : owed_)
    if (was_saved("'" + name + "'", step, [&, name = name, state = state] {
          CheckpointFolder(keeping_.folder.checkpoints()).save_named(state, name);
          return std::vector<std::string>();
        }))
      paid.push_back(name);
  for (const std::string& name : paid) owed_.erase(name);
  return paid;
}

// Nobody would save this later, so one failure is not the end.
void RunKeeper::save_at_end(State state, int64_t step) {
  wait_for_save();
  const State complete = with_owed(whole(snapshot(std::move(state))));
  for (int attempt = 1; attempt <= kLastSaveTries; ++attempt)
    if (was_saved("at step " + std::to_string(step), step, [&] {
          return CheckpointFolder(keeping_.folder.checkpoints())
              .save(complete, step, keeping_.keep);
        }))
      return check_nothing_owed(step);
  throw DataError("the last checkpoint, at step " + std::to_string(step) +
                  ", could not be saved; the one before it stands. See to the reason above, then "
                  "go on with:\n  hearth train --resume " +
                  keeping_.folder.path().string());
}

void RunKeeper::check_nothing_owed(int64_t step) const {
  if (owed_.empty()) return;
  throw DataError("the training is done, but the checkpoint '" + owed_.begin()->first +
                  "' could not be saved. That of step " + std::to_string(step) +
                  " keeps it. See to the reason above; this saves it then:\n  hearth train "
                  "--resume " +
                  keeping_.folder.path().string());
}

void RunKeeper::flush() {
  if (const std::string fault = files_.flush(); !fault.empty()) note_once(fault);
  for (RunLog* stream : {log_.get(), history_.get()})
    if (const std::string fault = stream->flush(); !fault.empty()) note_once(fault);
}

void RunKeeper::remake(int64_t step) {
  wait_for_save();
  const std::shared_future<uint64_t> bytes = log_->mark();
  (void)log_->flush();
  const MendedLog mended = mend_log(keeping_.folder.log(), bytes.get(), epoch_lines_, step);
  log_ = std::make_unique<RunLog>(keeping_.folder.log(), mended.bytes);
  open_history();
  write_history({"folder_remade", step, 0, 0, {}, {{"missing", mended.missing}}});
}

void RunKeeper::put_off_remake(const std::string& reason) {
  note_once(reason);
  remake_at_ = std::chrono::steady_clock::now() + kRemakeEvery;
}

// A disk that refuses something will refuse it again and again.
void RunKeeper::note_once(const std::string& text) {
  if (noted_.insert(text).second) keeping_.notice(text);
}

}  // namespace hearth
