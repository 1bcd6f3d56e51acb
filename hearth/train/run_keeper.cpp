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
// A disk may be slow for a moment: so much may wait for it, beside one copy of any size.
constexpr size_t kMostSaves = 16;
constexpr uint64_t kMostSaveBytes = 256 << 20;

uint64_t bytes_of(const State& state) {
  uint64_t bytes = 0;
  for (const auto& [name, tensor] : state.tensors) bytes += tensor.nbytes();
  return bytes;
}

template <class Value>
bool is_ready(const std::future<Value>& future) {
  return future.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

// What the disk, or memory, refuses is told, not thrown.
template <class Outcome, class Save>
void outcome_of(Outcome& outcome, const Save& save) {
  try {
    save();
  } catch (const DataError& error) {
    outcome.failure = error.what();
  } catch (const std::bad_alloc&) {
    outcome.failure = "there is not enough memory.";
  }
}

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
  for (const PendingSave& save : pending_) save.outcomes.wait();
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
State RunKeeper::whole(const Snapshot& snapshot, std::string& log_fault) {
  const std::string file_fault = files_.flush();
  log_fault = log_->flush();
  if (log_fault.empty()) log_fault = file_fault;
  State state = snapshot.state;
  state.values["run"].update({{"log_bytes", snapshot.log_bytes.get()},
                              {"epoch_lines", snapshot.epoch_lines},
                              {"data", fingerprints_.values()},
                              {"machine", machine_}});
  state.values.update(origin_);
  return state;
}

// So that a disk which refuses one file to the end does not cost it, once the process is gone.
void RunKeeper::add_owed(State& state) const {
  for (const auto& [name, owed] : owed_) {
    state.values["run"]["owed"].push_back(name);
    state.add("owed/" + name, owed);
  }
}

void RunKeeper::make_room(uint64_t bytes) {
  tell_saved(kMostSaves - 1, kMostSaveBytes - std::min(bytes, kMostSaveBytes));
}

void RunKeeper::add_pending(uint64_t bytes, std::function<Outcomes()> write) {
  pending_.push_back({bytes, writer_.add(std::move(write))});
}

// What is owed goes first: whoever goes on from the checkpoint finds it saved, or in there.
void RunKeeper::save_in_background(const State& state, int64_t step) {
  make_room(bytes_of(state));
  const auto taken = std::make_shared<Snapshot>(snapshot(copy(state)));
  add_pending(bytes_of(state), [this, step, taken] {
    Outcomes outcomes = write_owed(step);
    outcomes.push_back(write_step(*taken, step));
    return outcomes;
  });
}

void RunKeeper::save_named(const State& state, const std::string& name, int64_t step) {
  CheckpointFolder::require_name(name);
  make_room(bytes_of(state));
  const auto taken = std::make_shared<Snapshot>(snapshot(copy(state)));
  add_pending(bytes_of(state),
              [this, step, name, taken] { return Outcomes{write_named(*taken, name, step)}; });
}

void RunKeeper::remove_named(const std::string& name) {
  make_room(0);
  add_pending(0, [this, name] {
    owed_.erase(name);
    std::error_code error;
    fs::remove(CheckpointFolder(keeping_.folder.checkpoints()).path_of(name), error);
    Outcome outcome;
    if (error)
      outcome.notes = {"cannot remove the checkpoint '" + name + "': " + error.message() + "."};
    return Outcomes{outcome};
  });
}

RunKeeper::Outcome RunKeeper::write_step(const Snapshot& taken, int64_t step) {
  Outcome outcome{"at step " + std::to_string(step), step};
  outcome_of(outcome, [&] {
    State state = whole(taken, outcome.log_fault);
    add_owed(state);
    outcome.notes =
        CheckpointFolder(keeping_.folder.checkpoints()).save(state, step, keeping_.keep);
  });
  return outcome;
}

RunKeeper::Outcome RunKeeper::write_named(const Snapshot& taken, const std::string& name,
                                          int64_t step) {
  std::string log_fault;
  const State complete = whole(taken, log_fault);
  Outcome outcome = write_complete(complete, name, step);
  outcome.log_fault = std::move(log_fault);
  owed_.erase(name);
  if (!outcome.failure.empty()) owed_.emplace(name, complete);
  return outcome;
}

RunKeeper::Outcome RunKeeper::write_complete(const State& complete, const std::string& name,
                                             int64_t step) const {
  Outcome outcome{"'" + name + "'", step};
  outcome_of(outcome,
             [&] { CheckpointFolder(keeping_.folder.checkpoints()).save_named(complete, name); });
  return outcome;
}

RunKeeper::Outcomes RunKeeper::write_owed(int64_t step) {
  Outcomes outcomes;
  std::erase_if(owed_, [&](const auto& owed) {
    outcomes.push_back(write_complete(owed.second, owed.first, step));
    return outcomes.back().failure.empty();
  });
  return outcomes;
}

void RunKeeper::wait_for_save() { tell_saved(0, 0); }

bool RunKeeper::is_saving() const {
  return !pending_.empty() && !is_ready(pending_.back().outcomes);
}

// Of those that are done, and of as many more as must be waited for.
void RunKeeper::tell_saved(size_t most_left, uint64_t most_bytes_left) {
  uint64_t bytes = 0;
  for (const PendingSave& save : pending_) bytes += save.bytes;
  while (!pending_.empty() && (pending_.size() > most_left || bytes > most_bytes_left ||
                               is_ready(pending_.front().outcomes))) {
    PendingSave save = std::move(pending_.front());
    pending_.pop_front();
    bytes -= save.bytes;
    for (const Outcome& outcome : save.outcomes.get()) (void)tell(outcome);
  }
}

// A checkpoint that could not be written does not stop the training: the one before still stands.
bool RunKeeper::tell(const Outcome& outcome) {
  tell_tracker_faults();
  for (const std::string& note : outcome.notes) note_once(note);
  if (!outcome.log_fault.empty()) note_once(outcome.log_fault);
  if (outcome.which.empty()) return true;
  if (outcome.failure.empty()) {
    write_history({"checkpoint", outcome.step, 0, 0, {}, {{"which", outcome.which}}});
    return true;
  }
  keeping_.notice("the checkpoint " + outcome.which + " was not saved: " + outcome.failure);
  write_history({"checkpoint_failed",
                 outcome.step,
                 0,
                 0,
                 {},
                 {{"which", outcome.which}, {"reason", outcome.failure}}});
  return false;
}

void RunKeeper::pay_owed(int64_t step) {
  wait_for_save();
  for (const Outcome& outcome : write_owed(step)) (void)tell(outcome);
}

// Nobody would save this later, so one failure is not the end.
void RunKeeper::save_at_end(const State& state, int64_t step) {
  pay_owed(step);
  const Snapshot taken = snapshot(state);
  for (int attempt = 1; attempt <= kLastSaveTries; ++attempt)
    if (tell(write_step(taken, step))) return check_nothing_owed(step);
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
