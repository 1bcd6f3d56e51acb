// Steers a trainer through rising learning rates.
#include "hearth/train/finders/rate_sweep.h"

#include <ATen/ops/mean.h>

#include <algorithm>
#include <cmath>

#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {
namespace {

const ConfiguredRate* rate_of(const std::vector<ConfiguredRate>& configured,
                              const std::string& path) {
  for (const ConfiguredRate& rate : configured)
    if (rate.path == path) return &rate;
  return nullptr;
}

// "net" means all optimizers of the model.
bool is_named(const std::string& name, const std::string& asked) {
  return asked.empty() || name == asked || name.starts_with(asked + "/");
}

std::string cyclic_text(const RateBounds& bounds, double share) {
  return "{cyclic: {low: " + shortest_number(two_digits(bounds.low * share)) +
         ", high: " + shortest_number(two_digits(bounds.high * share)) + ", up: 2ep}}";
}

}  // namespace

RateSweep::RateSweep(Trainer& trainer, const std::vector<ConfiguredRate>& configured,
                     const LearningRateSearch& search, const FinderSettings& settings)
    : trainer_(trainer),
      search_(search),
      settings_(settings),
      ranks_(trainer.experiment().group()) {
  find_optimizers(configured);
  found_.first_step = trainer.position().step;
  trainer_.set_observer(this);
}

void RateSweep::find_optimizers(const std::vector<ConfiguredRate>& configured) {
  std::vector<std::string> names;
  for (const auto& model : trainer_.experiment().network().models().all())
    for (const ModelOptimizers::Named& named : model->optimizers().all()) {
      const Node* lr = named.choice.options().find("lr");
      const ConfiguredRate* rate =
          lr == nullptr || !lr->mark().path ? nullptr : rate_of(configured, *lr->mark().path);
      if (rate == nullptr || !(rate->highest > 0)) continue;
      const std::string name = model->name() + (named.name.empty() ? "" : "/" + named.name);
      names.push_back(name);
      all_.push_back({name, rate->path, named.optimizer.get(), rate->highest,
                      ScheduledValue(TypeOf<Scheduled>::read(rate->value)),
                      named.optimizer->rate_factor(), is_named(name, search_.optimizer)});
    }
  if (all_.empty())
    throw ConfigError(
        "no optimizer has a learning rate above 0, so there is nothing to find. Give a model an "
        "optimizer, such as optimizer={adamw: {}}.");
  if (std::none_of(all_.begin(), all_.end(), [](const Steered& one) { return one.is_swept; }))
    throw ConfigError("there is no optimizer of " + quote(search_.optimizer) + "." +
                      did_you_mean(search_.optimizer, names));
}

const RateSweep::Steered& RateSweep::leader() const {
  return *std::find_if(all_.begin(), all_.end(), [](const Steered& one) { return one.is_swept; });
}

int64_t RateSweep::steps_left() const {
  return found_.curve.has_diverged ? 0 : search_.steps + 1 - done_;
}

double RateSweep::rate_at(int64_t step) const {
  const double share = static_cast<double>(std::min(step, search_.steps - 1)) /
                       static_cast<double>(search_.steps - 1);
  return search_.from * std::pow(search_.to / search_.from, share);
}

StepWatch* RateSweep::watch(StepWatch* others) {
  const double factor = rate_at(done_) / leader().held;
  for (const Steered& one : all_)
    one.optimizer->set_rate_factor(
        one.is_swept ? factor : one.factor * one.configured.at(trainer_.moment()) / one.held);
  return others;
}

// Weighted by samples, a step of several batches has the loss of one large batch.
void RateSweep::see(const CompiledPlan& compiled, const HostBatch& batch, const BatchRunner& runner,
                    const Scene&) {
  const auto rows = static_cast<double>(batch.real_rows());
  loss_sum_ += loss_of(compiled, runner) * rows;
  rows_ += rows;
  if (is_last_batch()) end_step();
}

bool RateSweep::is_last_batch() const {
  const Position& position = trainer_.position();
  return trainer_.experiment().length().step_at(position.epoch, position.batch + 1) > position.step;
}

double RateSweep::loss_of(const CompiledPlan& compiled, const BatchRunner& runner) {
  double sum = 0;
  std::vector<std::string> keys;
  for (const BoundOp& bound : compiled.ops)
    for (const int index : bound.losses) {
      const std::string& key = compiled.plan.values[static_cast<size_t>(index)].key;
      const bool is_wanted = search_.loss.empty() || search_.loss == key;
      if (!is_wanted || !runner.value(index).defined()) continue;
      if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
      keys.push_back(key);
      sum += runner.value(index).detach().to(at::kDouble).mean().item<double>();
    }
  if (keys.empty() && !search_.loss.empty()) {
    std::vector<std::string> known;
    for (const BoundOp& bound : compiled.ops)
      for (const int index : bound.losses)
        known.push_back(compiled.plan.values[static_cast<size_t>(index)].key);
    throw ConfigError("no update reads the loss " + quote(search_.loss) + "." +
                      did_you_mean(search_.loss, known));
  }
  if (found_.losses.size() < keys.size()) found_.losses = std::move(keys);
  return sum;
}

void RateSweep::end_step() {
  // Where the curve ends, it ends for all processes.
  const double loss = ranks_.first("the loss of a step", loss_sum_ / rows_);
  loss_sum_ = rows_ = 0;
  if (done_ == 0)
    found_.curve.first_loss = loss;
  else
    found_.curve.points.push_back({rate_at(done_ - 1), loss, loss});
  ++done_;
  if (divergence_.sees(loss)) {
    found_.curve.has_diverged = true;
    trainer_.request_pause("the loss diverges at step " + std::to_string(done_) +
                           "; the curve ends there.");
  }
  if (!settings_.on_progress) return;
  const double per_step = watch_.seconds() / static_cast<double>(done_);
  settings_.on_progress(
      {done_, search_.steps + 1, per_step * static_cast<double>(steps_left()),
       "lr " + rounded_number(rate_at(done_ - 1), 2) + "  loss " + rounded_number(loss, 4)});
}

LearningRateFinding RateSweep::take(const std::vector<ConfiguredRate>& configured) {
  trainer_.set_observer(nullptr);
  smooth_curve(found_.curve, search_.smooth);
  if (steps_left() > 0)
    found_.was_interrupted = true;
  else
    found_.verdict = judge(found_.curve);
  found_.seconds = watch_.seconds();
  for (const Steered& one : all_) {
    if (!one.is_swept) continue;
    const ConfiguredRate& rate = *rate_of(configured, one.path);
    SweptRate swept{one.name, one.held, rate.is_scheduled(), one.held / leader().held, {}, {}};
    if (found_.verdict.rate)
      swept.override_text = rate.override_for(two_digits(*found_.verdict.rate * swept.share));
    if (found_.verdict.bounds)
      swept.cyclic_override = rate.path + "=" + cyclic_text(*found_.verdict.bounds, swept.share);
    found_.rates.push_back(std::move(swept));
  }
  return std::move(found_);
}

}  // namespace hearth
