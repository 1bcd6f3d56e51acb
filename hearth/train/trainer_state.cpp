// The trainer's state: what goes into a checkpoint, when it is saved, and how a run is resumed.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/kernels/memory/memory_cache.h"
#include "hearth/train/checkpoint.h"
#include "hearth/train/opened_sources.h"
#include "hearth/train/trainer.h"

namespace hearth {
namespace {

// JSON has no NaN; a metric that measured nothing is left out.
Json finite_numbers(const std::map<std::string, double>& numbers) {
  Json json = Json::object();
  for (const auto& [name, value] : numbers)
    if (std::isfinite(value)) json[name] = value;
  return json;
}

// Where a training goes back to must be there, even when interruptions saved others since.
constexpr int64_t kMoreToKeep = 2;

// Where the state of a metric in progress lies: by its place in the config.
std::string metric_part(size_t index) { return "metric_" + std::to_string(index); }

[[noreturn]] void throw_impossible(const Json& position) {
  throw DataError("the checkpoint stands at " + position.dump() +
                  ", where this run cannot be. Were the data or batch_size changed since?");
}

double peak_memory_megabytes() {
  return std::round(static_cast<double>(memory_cache().numbers().peak_bytes) * 1e-5) / 10;
}

}  // namespace

State Trainer::state() {
  State state;
  state.add("network", experiment_.network().state(ops_));
  Json& values = state.values["trainer"];
  values["position"] = {{"epoch", position_.epoch},
                        {"batch", position_.batch},
                        {"step", position_.step},
                        {"target_epochs", position_.target_epochs}};
  values["stop_reason"] = stop_reason_;
  values["replaced"] = replaced_;
  values["measured"] = measured_;
  values["metrics"] = finite_numbers(metrics_);
  const auto& metrics = experiment_.metrics(Mode::kTrain);
  for (size_t i = 0; i < metrics.size(); ++i) state.add(metric_part(i), metrics[i]->state());
  values["traces"] = traces_.state();
  state.add("traces", traces_.tensors());
  values["is_evaluation_asked"] = is_evaluation_asked_;
  if (gathering() != nullptr) values["left_out"] = left_out_.state();
  if (skipped_ > 0) values["skipped"] = {{"batches", skipped_}, {"in_a_row", in_a_row_}};
  return state;
}

// A checkpoint whose digest is right may still be of another version, or of somebody's making.
void Trainer::restore(const State& state) {
  try {
    restore_values(state);
    const auto& metrics = experiment_.metrics(Mode::kTrain);
    for (size_t i = 0; i < metrics.size(); ++i) metrics[i]->restore(state.part(metric_part(i)));
    current_ = book().at(experiment_.batch_moment(position_.epoch, position_.batch));
    ops_ = experiment_.network().every_op(experiment_.epoch_start(position_.epoch));
    experiment_.network().restore(state.part("network"), ops_);
  } catch (const DataError&) {
    throw;
  } catch (const ConfigError&) {  // an older one would fit no better
    throw;
  } catch (const std::exception& error) {
    const std::string text = error.what();
    throw DataError("the checkpoint's state is of another shape than this program's: " +
                    text.substr(0, text.find('\n')));
  }
  moment_ = {position_.step, position_.epoch, experiment_.length()};
}

Position Trainer::position_of(const State& state) {
  try {
    const Json& position = state.values.at("trainer").at("position");
    const Position read = {position.at("epoch"), position.at("batch"), position.at("step"),
                           position.at("target_epochs")};
    if (std::min({read.epoch, read.batch, read.step, read.target_epochs}) >= 0 &&
        read.epoch <= read.target_epochs)
      return read;
    throw_impossible(position);
  } catch (const Json::exception& error) {
    throw DataError("the checkpoint's state is of another shape than this program's: " +
                    std::string(error.what()));
  }
}

// How long an epoch is may hang on how many there are.
void Trainer::stand_at(const Position& position) {
  if (position.target_epochs > 0) fix_length(position.target_epochs);
  position_ = position;
}

void Trainer::restore_values(const State& state) {
  const Json& values = state.values.at("trainer");
  const Position read = position_of(state);
  stand_at(read);
  if (read.batch > experiment_.batches(Mode::kTrain, read.epoch))
    throw_impossible(values.at("position"));
  stop_reason_ = values.at("stop_reason").get<std::string>();
  replaced_ = values.at("replaced").get<int64_t>();
  measured_ = values.at("measured").get<std::set<std::string>>();
  metrics_ = values.at("metrics").get<std::map<std::string, double>>();
  traces_.restore(values.value("traces", Json()));
  traces_.restore_tensors(state.part("traces"));
  is_evaluation_asked_ = values.value("is_evaluation_asked", false);
  left_out_.restore(values.value("left_out", Json::object()));
  const Json skipped = values.value("skipped", Json::object());
  skipped_ = skipped.value("batches", int64_t{0});
  in_a_row_ = skipped.value("in_a_row", int64_t{0});
}

void Trainer::make_keeper() {
  RunKeeping keeping{run_->folder,
                     run_->origin,
                     {},
                     experiment_.options().train.checkpoint.keep + (rolls_back() ? kMoreToKeep : 0),
                     experiment_.options().train.trackers,
                     [this](const std::string& text) { notice(text); }};
  keeping.sources = opened_sources(experiment_);
  keeper_ = std::make_unique<RunKeeper>(std::move(keeping));
}

// The others of several processes need not see the folder.
void Trainer::take_up_from_first(const std::function<void(const State&)>& check) {
  const State found = ranks_.broadcast("the checkpoint", {});
  if (found.values.empty()) return;
  if (check) check(found);
  restore(found);
}

void Trainer::resume(const std::function<void(const State&)>& check) {
  if (callbacks_.helps_to_save) return take_up_from_first(check);
  if (const auto reason = diverged_before(run_->folder.history()))
    notice("the run stopped at " + *reason +
           ", and nothing was saved after it. Without a change it will do so again.");
  make_keeper();
  keeper_->tidy();
  RunRecord record;
  const auto found = CheckpointFolder(run_->folder.checkpoints()).newest([&](const State& state) {
    if (check) check(state);
    record = RunRecord::of(state);
    restore(state);
  });
  (void)ranks_.broadcast("the checkpoint", found ? found->state : State());
  if (!found) {
    notice("no checkpoint yet; starting at the first step.");
    return keeper_->begin();
  }
  for (const std::string& reason : found->skipped) notice("skipped a checkpoint: " + reason);
  keeper_->resume(record, position_.step);
  write_history("resume", {{"from", found->path.filename().string()}});
  keeper_->pay_owed(position_.step);
}

bool Trainer::is_save_due() const {
  const Time& every = experiment_.options().train.checkpoint.every;
  // Minutes are no promise of a step: one that is still being written is waited for by later ones,
  // not by this step.
  if (every.unit == TimeUnit::kMinute)
    return seconds() - saved_at_ >= every.value * 60 &&
           !(ranks_.is_alone() ? keeper_->is_saving() : now_.is_saving);
  return position_.step != saved_step_ && position_.step % save_interval() == 0;
}

int64_t Trainer::save_interval() const {
  const Time& every = experiment_.options().train.checkpoint.every;
  return std::max<int64_t>(every.steps(experiment_.length()), 1);
}

void Trainer::save_if_due() {
  if (position_.step == 0 || (!is_kept() && !rolls_back()) || !is_save_due()) return;
  if (is_kept()) return save_in_background();
  saved_step_ = position_.step;
  undo_.keep_point(position_.step, ops_);
}

State Trainer::state_to_save() {
  State whole = state();
  if (!ranks_.is_alone()) ranks_.check_equal(experiment_.network().common_state());
  return whole;
}

void Trainer::save_in_background() {
  watch_parameters();
  saved_at_ = seconds();
  saved_step_ = position_.step;
  const State whole = state_to_save();
  if (keeper_) keeper_->save_in_background(whole, position_.step);
  saving_seconds_ += seconds() - saved_at_;
}

void Trainer::save_at_end() {
  watch_parameters();
  if (!is_kept()) return;
  const State whole = state_to_save();
  const std::vector<int64_t> optimizer_bytes = experiment_.network().optimizer_bytes();
  if (!keeper_) return;
  keeper_->flush();
  keeper_->put_off_no_longer();
  look_after_folder();
  keeper_->save_at_end(ranks_.is_alone() ? state() : whole, position_.step);
  Json details = {{"reason", stop_reason_}, {"metrics", finite_numbers(metrics_)}};
  details["data"] = data_use_;
  if (gathering() != nullptr) details["sync_replicas"] = left_out_.summary();
  if (!ranks_.is_alone()) details["optimizer_bytes"] = optimizer_bytes;
  if (is_memory_cache_installed()) details["memory_peak_mb"] = peak_memory_megabytes();
  write_history(was_interrupted_ ? "interrupted" : "end", std::move(details));
  keeper_->flush();
  keeper_->settle_trackers();
}

void Trainer::save_what_is_whole(const std::string& error) {
  if (!keeper_ || !ranks_.is_alone() || !is_whole_ || position_.step == 0) return;
  try {
    keeper_->save_at_end(state(), position_.step);
    write_history("failed", {{"reason", error}});
    keeper_->flush();
    notice("what was trained up to step " + std::to_string(position_.step) +
           " is saved. Once the error below is seen to, go on with: hearth train --resume " +
           run_->folder.path().string());
  } catch (const Error& second) {
    notice(second.what());
  }
}

void Trainer::save(const std::string& name) {
  if (!is_kept()) return;
  watch_parameters();
  const double begun_at = seconds();
  const State whole = state_to_save();
  if (!keeper_) return;
  keeper_->save_named(whole, name, position_.step);
  saving_seconds_ += seconds() - begun_at;
}

// A folder deleted by mistake must not cost what was trained: it is made again, and saved at once.
// Where that cannot be done, on a disk that is away, it may be possible later.
void Trainer::look_after_folder() {
  if (!keeper_ || !keeper_->is_folder_wanted()) return;
  const std::string gone =
      "the run folder " + run_->folder.path().string() + " was deleted or moved";
  try {
    if (callbacks_.on_folder_gone) callbacks_.on_folder_gone();
    keeper_->remake(position_.step);
  } catch (const DataError& error) {
    return keeper_->put_off_remake(gone + ", and cannot be made again yet: " + error.what() +
                                   " The training goes on, and tries it again.");
  }
  notice(gone + ". It is made again and the training goes on; what it held is lost.");
  if (ranks_.is_alone()) save_in_background();
}

void Trainer::note_changes(const std::vector<std::string>& changes, const std::string& digest) {
  if (!keeper_) return;
  write_history("change", {{"changes", changes}, {"digest", digest}});
  keeper_->flush();
}

void Trainer::write_history(const std::string& kind, Json details) {
  if (keeper_)
    keeper_->write_history({kind, position_.step, position_.epoch, 0, {}, std::move(details)});
}

}  // namespace hearth
