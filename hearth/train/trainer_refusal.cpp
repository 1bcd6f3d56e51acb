// Batches that are not learned from: what is looked at before anything moves, how they are taken
// back, and how a training goes back to a checkpoint. All of it follows from the config and the
// data alone, so that a run that was killed does the same again.
#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/tensor/finite.h"
#include "hearth/train/checkpoint.h"
#include "hearth/train/fault_finder.h"
#include "hearth/train/trainer.h"

namespace hearth {
namespace {

// More than a bad batch or two: then it is not the data that must change.
constexpr int64_t kMostInARow = 10;

}  // namespace

// With replicas a guard costs a meeting of all of them before the update, so that one which only
// stops looks at losses afterwards.
StepWatch* Trainer::guarded(StepWatch* traces, Mode mode) {
  const bool detects = callbacks_.detects_anomalies;
  const bool only_stops =
      !may_undo_ && on_nan_ == OnNan::kStop && (!experiment_.network().is_sharded() || detects);
  if (mode != Mode::kTrain || (!may_undo_ && !only_stops)) return traces;
  const bool undoes = on_nan_ == OnNan::kSkip || on_nan_ == OnNan::kRollBack || detects;
  const bool is_near = experiment_.network().models().device.is_cpu();
  return guard_.before({.plan = &current_->plan,
                        .losses = &losses_,
                        .looks_at_losses = undoes || (on_nan_ == OnNan::kStop && is_near),
                        .looks_at_gradients = undoes,
                        .next = traces});
}

void Trainer::refuse_batch(Undo undo, const std::string& reason) {
  if (may_undo_ && is_fitting_) guard_.refuse(undo, reason);
}

// Updates after the first have losses of their own, and some look for a place to step to.
void Trainer::refuse_moved() {
  const bool undoes = on_nan_ == OnNan::kSkip || on_nan_ == OnNan::kRollBack;
  if (!callbacks_.detects_anomalies && !(undo_.has_all() && undoes)) return;
  if (auto found = unusable_loss(current_->plan, losses_, runner_.values())) {
    found->stage = BatchRefused::Stage::kMoved;
    throw std::move(*found);
  }
  for (const auto& model : experiment_.network().models().all())
    for (const auto& [name, parameter] : model->layer().handles())
      if (!is_finite(parameter))
        throw BatchRefused{BatchRefused::Stage::kMoved,
                           "a value of the parameter " + model->name() + "." + name,
                           std::numeric_limits<double>::quiet_NaN()};
}

// Runs the batch again, up to its first update, to see where it went wrong: from where the first
// value comes that is not finite or, where somebody refused it, which samples have high losses;
// those of shards would hang on how many processes there are, and the log must not.
Trainer::Refusal Trainer::explained(const BatchRefused& refused, const HostBatch& batch,
                                    const StepContext& context) {
  Refusal refusal{refused, "", {}};
  Network& network = experiment_.network();
  if (refused.stage == BatchRefused::Stage::kMoved || (!refused.value && network.is_sharded()))
    return refusal;
  const auto say = [&](const auto& found) {
    refusal.origin = found.text(batch, *scene().source);
    for (const int64_t row : found.rows)
      if (row < batch.real_rows())
        refusal.samples.push_back(batch.samples()[static_cast<size_t>(row)]);
  };
  seed_batch();
  if (const auto found = find_fault(network, *current_, batch, context)) {
    say(*found);
  } else if (!refused.value) {
    seed_batch();
    say(find_high_losses(network, *current_, batch, context));
  }
  return refusal;
}

bool Trainer::stops(const Refusal& refusal) const {
  return !refusal.refused.undo && on_nan_ == OnNan::kStop;
}

void Trainer::settle(const Refusal& refusal, StepContext& context) {
  const BatchRefused& refused = refusal.refused;
  NonFinite found = found_now(refused.what, refused.value.value_or(0));
  found.origin = refusal.origin;
  if (stops(refusal)) stop_diverged(found);
  runner_.clear();
  const bool goes_back =
      refused.undo ? *refused.undo == Undo::kRollBack : on_nan_ == OnNan::kRollBack;
  if (goes_back)
    roll_back(refused, context);
  else
    undo_.undo(*current_, ops_, refused.stage, context);
  ++skipped_;
  const std::string reason =
      refused.value ? refused.what + " is " + shortest_number(*refused.value) : refused.what;
  const std::string done = goes_back ? "rolled_back" : "skipped";
  if (keeper_)
    keeper_->log({done,
                  position_.step,
                  position_.epoch,
                  0,
                  {},
                  {{"batch", position_.batch - 1},
                   {"reason", reason},
                   {"origin", refusal.origin},
                   {"samples", refusal.samples}}});
  notice("epoch " + std::to_string(position_.epoch + 1) + ", step " +
         std::to_string(position_.step) + ": " + reason + "; " +
         (goes_back ? "the network is back at the last checkpoint" : "the batch was skipped") +
         "." + (refusal.origin.empty() ? "" : " " + refusal.origin));
  if (++in_a_row_ < kMostInARow) return;
  found.what =
      std::to_string(kMostInARow) + " batches in a row were of no use; of the last, " + found.what;
  if (refused.undo)
    found.way_on = "train.on_nan=warn, or `action: warn` of the trace that refused them";
  stop_diverged(found);
}

// The state to go back to is that of a step which the config alone decides, and one step back at
// least: what led straight here is no good.
void Trainer::roll_back(const BatchRefused& refused, StepContext& context) {
  const int64_t done = context.moment.step;
  const int64_t target = std::max<int64_t>(done - 1, 0) / save_interval() * save_interval();
  try {
    undo_.replace(network_after(target), *current_, ops_, refused.stage, context);
  } catch (const DataError& error) {
    throw Diverged("step " + std::to_string(position_.step) + ": " + refused.what +
                   " is of no use, and the training cannot go back to step " +
                   std::to_string(target) + ": " + error.what());
  }
}

State Trainer::network_after(int64_t step) {
  if (is_kept()) {
    State found;
    if (keeper_) {
      keeper_->wait_for_save();
      found = CheckpointFolder(run_->folder.checkpoints()).of_step(step).part("network");
    }
    return ranks_.broadcast("the state to go back to", found);
  }
  if (const State* kept = undo_.point(step)) return *kept;
  throw DataError("this training keeps no run, and did not pass that step itself.");
}

// There is something to go back to from the first step on.
void Trainer::keep_first_state() {
  if (!is_kept()) return undo_.keep_point(position_.step, ops_);
  if (position_.step == 0 && position_.batch == 0 && saved_step_ != 0) save_in_background();
}

}  // namespace hearth
