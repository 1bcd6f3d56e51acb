// What the trainer does about values that are no finite number. It looks at what it has at hand
// anyway, so that no device is waited for: on the CPU at every loss, elsewhere at those of logged
// steps; at metrics after an epoch; at parameters before they are saved.
#include <cmath>
#include <limits>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/tensor/finite.h"
#include "hearth/train/checkpoint.h"
#include "hearth/train/trainer.h"

namespace hearth {

void Trainer::watch_losses(bool is_logged) {
  if (on_nan_ == OnNan::kIgnore) return;
  if (!is_logged && !experiment_.network().models().device.is_cpu()) return;
  for (const int index : losses_) {
    const at::Tensor& tensor = runner_.value(index);
    if (tensor.dim() != 0 || !tensor.is_floating_point()) continue;
    const auto value = tensor.item<double>();
    if (!std::isfinite(value))
      heed("the loss '" + current_->plan.values[static_cast<size_t>(index)].key + "'", value);
  }
}

void Trainer::watch_metrics(const DataSet& set, const Measurements& measured) {
  for (const auto& [metric, value] : measured.numbers)
    if (!std::isfinite(value)) heed("the metric " + set.text() + "/" + metric, value);
}

void Trainer::watch_parameters() {
  if (on_nan_ == OnNan::kIgnore) return;
  for (const auto& model : experiment_.network().models().all())
    for (const auto& [name, parameter] : model->layer().handles())
      if (!is_finite(parameter))
        heed("a value of the parameter " + model->name() + "." + name,
             std::numeric_limits<double>::quiet_NaN());
}

// The one place that knows the policies.
void Trainer::heed(const std::string& what, double value) {
  const NonFinite found{what, value, moment_.epoch, position_.target_epochs, position_.step};
  switch (on_nan_) {
    case OnNan::kStop:
      stop_diverged(found);
    case OnNan::kWarn:
      if (std::exchange(warned_epoch_, found.epoch) != found.epoch)
        notice(found.text() + ". " + divergence_advice(learning_rates()));
      return;
    case OnNan::kIgnore:
      return;
  }
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
  }
  throw Diverged(found.text() + ", so training stopped.\n  " + divergence_advice(learning_rates()) +
                 "\n  " + kept + " To go on all the same: train.on_nan=warn.");
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

std::string Trainer::learning_rates() const {
  std::vector<std::string> rates;
  for (const auto& model : experiment_.network().models().all())
    for (const auto& [name, rate] : model->optimizers().learning_rates(
             {std::max<int64_t>(position_.step - 1, 0), position_.epoch, moment_.length}))
      rates.push_back(shortest_number(rate) + " of " + name);
  return join(rates, ", ");
}

}  // namespace hearth
