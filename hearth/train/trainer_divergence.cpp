// What the trainer does about values that are no finite number. It looks at what it has at hand
// anyway, so that no device is waited for: on the CPU at every loss, elsewhere at those of logged
// steps; at metrics after an epoch; at parameters before they are saved.
#include <cmath>
#include <limits>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/tensor/finite.h"
#include "hearth/train/checkpoint.h"
#include "hearth/train/step_guard.h"
#include "hearth/train/trainer.h"

namespace hearth {

// What the guard did not see: with replicas, and losses that are computed after a first update.
void Trainer::watch_losses(bool is_logged) {
  if (on_nan_ == OnNan::kIgnore || guard_.has_seen_losses()) return;
  if (!is_logged && !experiment_.network().models().device.is_cpu()) return;
  if (const auto found = unusable_loss(current_->plan, losses_, runner_.values()))
    heed(found->what, *found->value);
}

void Trainer::watch_metrics(const DataSet& set, const Measurements& measured) {
  for (const auto& [metric, value] : measured.numbers) {
    if (std::isfinite(value) || measured.undefined.contains(metric)) continue;
    const NonFinite found = found_now("the metric " + set.text() + "/" + metric, value);
    // Nothing is to be taken back for it: the parameters are fine.
    if (may_undo_ && on_nan_ != OnNan::kStop && on_nan_ != OnNan::kIgnore)
      warn_once(found);
    else
      heed(found.what, value);
  }
}

void Trainer::watch_parameters() {
  if (on_nan_ == OnNan::kIgnore) return;
  for (const auto& model : experiment_.network().models().all())
    for (const auto& [name, parameter] : model->layer().handles())
      if (!is_finite(parameter))
        heed("a value of the parameter " + model->name() + "." + name,
             std::numeric_limits<double>::quiet_NaN());
}

NonFinite Trainer::found_now(const std::string& what, double value) const {
  return {what, value, moment_.epoch, position_.target_epochs, position_.step};
}

void Trainer::warn_once(const NonFinite& found) {
  if (std::exchange(warned_epoch_, found.epoch) != found.epoch)
    notice(found.text() + ". " + divergence_advice(learning_rates_text()));
}

// What can be taken back no more: batches that could are settled before they come here.
void Trainer::heed(const std::string& what, double value) {
  if (on_nan_ == OnNan::kIgnore) return;
  const NonFinite found = found_now(what, value);
  if (on_nan_ != OnNan::kWarn) stop_diverged(found);
  warn_once(found);
}

// Nothing is saved any more: the checkpoints that are there are from before.
void Trainer::stop_diverged(const NonFinite& found) {
  runner_.clear();
  loader_.reset();
  std::string kept = "Nothing was saved.";
  if (keeper_) {
    keeper_->wait_for_save();
    kept = set_aside_last_state();
    write_history(kDivergedEvent, {{"reason", found.text()}});
    keeper_->flush();
    keeper_->settle_trackers();
  }
  const std::string origin = found.origin.empty() ? "" : "\n  " + found.origin;
  throw Diverged(found.text() + ", so training stopped." + origin + "\n  " +
                 divergence_advice(learning_rates_text()) + "\n  " + kept +
                 " To go on all the same: " + found.way_on + ".");
}

// The state that led straight to the value is finite, but no good: nobody should go on from it.
std::string Trainer::set_aside_last_state() const {
  const CheckpointFolder checkpoints(run_->folder.checkpoints());
  std::string text;
  std::optional<int64_t> newest = checkpoints.newest_step();
  if (newest && *newest >= position_.step - 1 && checkpoints.set_aside(*newest, kDivergedEvent)) {
    text = "The checkpoint of step " + std::to_string(*newest) +
           " led straight to it and is now named '" + kDivergedEvent + "'. ";
    newest = checkpoints.newest_step();
  }
  return text + (newest ? "The newest to go on from is that of step " + std::to_string(*newest) +
                              "; nothing was saved since."
                        : "There is no checkpoint to go on from.");
}

std::string Trainer::learning_rates_text() const {
  std::vector<std::string> rates;
  for (const auto& [name, rate] : learning_rates())
    rates.push_back(shortest_number(rate) + " of " + name);
  return join(rates, ", ");
}

}  // namespace hearth
