// What traces ask of the trainer: lines of the log, an evaluation in the middle of an epoch, a
// pause, a look at the models and a way back.
#include <algorithm>

#include "hearth/base/text.h"
#include "hearth/train/model_layers.h"
#include "hearth/train/trainer.h"

namespace hearth {

void Trainer::scale_learning_rate(const std::string& model, double factor) {
  ModelSet& models = experiment_.network().models();
  if (!model.empty()) return models.find(model).optimizers().scale_rates(factor);
  for (const auto& each : models.all()) each->optimizers().scale_rates(factor);
}

// Only what training comes to is part of the log: an evaluation after it may be done, or not.
void Trainer::record(Event event) {
  if (!keeper_ || !is_fitting_) return;
  event.step = traces_.step_now(position_.step);
  event.epoch = position_.epoch;
  if (traces_.is_in_evaluation())
    held_.push_back(std::move(event));
  else
    keeper_->log(std::move(event));
}

void Trainer::keep_evaluation() {
  for (Event& event : held_) keeper_->log(std::move(event));
  held_.clear();
}

TracesState Trainer::traces_state() const { return {traces_.state(), copy(traces_.tensors())}; }

void Trainer::forget_evaluation(const TracesState& before) {
  held_.clear();
  traces_.restore(before.values);
  traces_.restore_tensors(before.tensors);
}

// Interrupted, it is asked for still, and done after a resume.
void Trainer::evaluate_if_asked() {
  if (!is_evaluation_asked_) return;
  const std::vector<DataSet> sets = experiment_.sets(Mode::kEval);
  const TracesState traces_before = traces_state();
  std::vector<decltype(evaluate(Mode::kEval))> measured;
  for (const DataSet& set : sets) {
    measured.push_back(evaluate(set));
    if (!measured.back()) return forget_evaluation(traces_before);
  }
  keep_evaluation();
  is_evaluation_asked_ = false;
  for (size_t i = 0; i < sets.size(); ++i) record(sets[i].text(), sets[i], *measured[i]);
  for (size_t i = 0; i < sets.size(); ++i) watch_metrics(sets[i], *measured[i]);
}

std::vector<Layer*> Trainer::layers(const std::string& pattern) {
  return layers_matching(experiment_.network().models(), pattern);
}

// The lists live as long as the call, so that weights stay packed.
std::vector<NamedTensor> Trainer::parameters() {
  std::vector<NamedTensor> all;
  for (const auto& model : experiment_.network().models().all())
    if (model->is_built())
      for (auto& [name, parameter] : model->layer().handles())
        all.emplace_back(model->name() + "/" + name, parameter.detach());
  return all;
}

State Trainer::models_state() {
  State all;
  for (const auto& model : experiment_.network().models().all())
    if (model->is_built()) all.add(model->name(), model->state());
  return copy(all);
}

void Trainer::restore_models(const State& state) {
  for (const auto& model : experiment_.network().models().all())
    if (model->is_built()) model->restore(state.part(model->name()));
}

std::vector<std::pair<std::string, double>> Trainer::learning_rates() const {
  const Moment last = {std::max<int64_t>(position_.step - 1, 0), position_.epoch, moment_.length};
  std::vector<std::pair<std::string, double>> all;
  for (const auto& model : experiment_.network().models().all())
    for (auto& rate : model->optimizers().learning_rates(last)) all.push_back(std::move(rate));
  return all;
}

// A batch that can be taken back is; an evaluation has nothing that could.
void Trainer::report_not_finite(const std::string& what, double value) {
  const bool undoes = on_nan_ == OnNan::kSkip || on_nan_ == OnNan::kRollBack;
  if (!undoes) return heed(what, value);
  if (traces_.is_in_evaluation()) return warn_once(found_now(what, value));
  refuse_batch(on_nan_ == OnNan::kRollBack ? Undo::kRollBack : Undo::kSkip,
               what + " is " + shortest_number(value));
}

LostTime Trainer::lost_time() const {
  return {loader_ ? loader_->waited_seconds() : 0, saving_seconds_};
}

void Trainer::request_pause(const std::string& reason) {
  if (!is_fitting_ || is_pause_asked_) return;
  is_pause_asked_ = true;
  write_history("pause", {{"reason", reason}});
  notice(reason);
}

}  // namespace hearth
