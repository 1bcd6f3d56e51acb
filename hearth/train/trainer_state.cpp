// The trainer's state: what goes into a checkpoint, when it is saved, and how a run is resumed.
#include <cmath>
#include <nlohmann/json.hpp>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/kernels/memory_cache.h"
#include "hearth/train/machine.h"
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

double peak_memory_megabytes() {
  return std::round(static_cast<double>(memory_cache().numbers().peak_bytes) * 1e-5) / 10;
}

}  // namespace

State Trainer::state() {
  State state;
  state.add("network", experiment_.network().state(current_.calls));
  Json& values = state.values["trainer"];
  values["position"] = {{"epoch", position_.epoch},
                        {"batch", position_.batch},
                        {"step", position_.step},
                        {"target_epochs", position_.target_epochs}};
  values["stop_reason"] = stop_reason_;
  values["replaced"] = replaced_;
  values["metrics"] = finite_numbers(metrics_);
  for (const auto& metric : experiment_.metrics(Mode::kTrain))
    values["in_progress"].push_back(metric->state());
  for (const auto& trace : traces_) values["traces"].push_back(trace->state());
  values["log_bytes"] = log_ ? log_->flush() : 0;
  values["data"] = experiment_.source(Mode::kTrain)->fingerprint();
  values["machine"] = machine_facts();
  return state;
}

void Trainer::restore(const State& state) {
  const Json& values = state.values.at("trainer");
  const Json& position = values.at("position");
  position_ = {position.at("epoch"), position.at("batch"), position.at("step"),
               position.at("target_epochs")};
  stop_reason_ = values.at("stop_reason").get<std::string>();
  replaced_ = values.at("replaced").get<int64_t>();
  experiment_.set_epochs(position_.target_epochs);
  metrics_ = values.at("metrics").get<std::map<std::string, double>>();
  const auto& metrics = experiment_.metrics(Mode::kTrain);
  for (size_t i = 0; i < metrics.size(); ++i) metrics[i]->restore(values.at("in_progress").at(i));
  for (size_t i = 0; i < traces_.size(); ++i) traces_[i]->restore(values.at("traces").at(i));
  current_ = experiment_.compiled(Mode::kTrain, position_.epoch);
  experiment_.network().restore(state.part("network"), current_.calls);
  moment_ = {position_.step, position_.epoch, experiment_.length()};
}

void Trainer::resume() {
  if (fs::exists(folder_->checkpoints())) remove_stale_drafts(folder_->checkpoints());
  const auto found = CheckpointFolder(folder_->checkpoints()).newest();
  history_ = std::make_unique<RunLog>(folder_->path() / "history.jsonl",
                                      fs::exists(folder_->path() / "history.jsonl")
                                          ? fs::file_size(folder_->path() / "history.jsonl")
                                          : 0);
  if (!found) {
    notice("no checkpoint yet; starting at the first step.");
    log_ = std::make_unique<RunLog>(folder_->log(), 0);
    return;
  }
  for (const std::string& reason : found->skipped) notice("skipped a checkpoint: " + reason);
  restore(found->state);
  const Json& values = found->state.values.at("trainer");
  log_ = std::make_unique<RunLog>(folder_->log(), values.at("log_bytes").get<uint64_t>());
  if (values.at("data") != experiment_.source(Mode::kTrain)->fingerprint())
    notice("the training data are not those of the checkpoint; results will differ.");
  for (const std::string& difference : machine_differences(values.at("machine"), machine_facts()))
    notice("the bits may differ: " + difference);
  write_history("resume", {{"from", found->path.filename().string()}});
}

bool Trainer::is_save_due() const {
  const Time& every = experiment_.options().train.checkpoint.every;
  if (every.unit == TimeUnit::kMinute) return seconds() - saved_at_ >= every.value * 60;
  const int64_t steps = std::max<int64_t>(every.steps(experiment_.length()), 1);
  return position_.step != saved_step_ && position_.step % steps == 0;
}

void Trainer::save_if_due() {
  if (folder_ && position_.step > 0 && is_save_due()) save_in_background();
}

// The state is copied at once; writing it goes on beside the training.
void Trainer::save_in_background() {
  wait_for_save();
  saved_at_ = seconds();
  saved_step_ = position_.step;
  auto snapshot = std::make_shared<const State>(copy(state()));
  const int64_t keep = experiment_.options().train.checkpoint.keep;
  pending_save_ = std::async(
      std::launch::async, [snapshot, keep, step = position_.step, folder = folder_->checkpoints()] {
        CheckpointFolder(folder).save(*snapshot, step, keep);
      });
}

// A checkpoint that could not be written does not stop the training: the one before still stands.
void Trainer::save_failed(const std::string& which, const DataError& error) {
  notice("the checkpoint " + which + " was not saved: " + error.what());
  write_history("checkpoint_failed", {{"which", which}, {"reason", error.what()}});
}

void Trainer::wait_for_save() {
  if (!pending_save_.valid()) return;
  try {
    pending_save_.get();
    write_history("checkpoint", {{"step", saved_step_}});
  } catch (const DataError& error) {
    save_failed("at step " + std::to_string(saved_step_), error);
  }
}

void Trainer::save_at_end() {
  if (!folder_) return;
  wait_for_save();
  CheckpointFolder(folder_->checkpoints())
      .save(state(), position_.step, experiment_.options().train.checkpoint.keep);
  Json details = {{"reason", stop_reason_}, {"metrics", finite_numbers(metrics_)}};
  if (is_memory_cache_installed()) details["memory_peak_mb"] = peak_memory_megabytes();
  write_history(was_interrupted_ ? "interrupted" : "end", std::move(details));
  log_->flush();
  history_->flush();
}

void Trainer::save(const std::string& name) {
  if (!folder_) return;
  wait_for_save();
  try {
    CheckpointFolder(folder_->checkpoints()).save_named(state(), name);
  } catch (const DataError& error) {
    save_failed("'" + name + "'", error);
  }
}

void Trainer::write_history(const std::string& kind, Json details) {
  if (history_) history_->write({kind, position_.step, position_.epoch, 0, {}, std::move(details)});
}

}  // namespace hearth
