// What a batch changes before it is known to be any good, kept so that it can be taken back.
#include "hearth/train/batch_undo.h"

#include <c10/core/GradMode.h>

#include <algorithm>

namespace hearth {
namespace {

using Stage = BatchRefused::Stage;

constexpr size_t kMostPoints = 3;

bool has_one_update(const std::vector<BoundOp>& ops) {
  const auto moves = [](const BoundOp& bound) {
    return bound.is_update() || bound.op->has_effect();
  };
  const auto reruns = [](const BoundOp& bound) { return bound.op->reruns(); };
  return std::count_if(ops.begin(), ops.end(), moves) <= 1 &&
         std::none_of(ops.begin(), ops.end(), reruns);
}

// The step that the batch belongs to: without it, or not at all once its gradients were in the sum.
void leave_out(const BoundOp& bound, Stage stage, StepContext& context) {
  if (stage == Stage::kLoss) return bound.op->leave_out(context, bound.twins);
  bound.op->restore(State());
  for (const auto& twin : bound.twins) twin->restore(State());
}

void leave_out(const std::vector<BoundOp>& ops, Stage stage, StepContext& context) {
  context.watch = nullptr;
  for (const BoundOp& bound : ops)
    if (bound.is_update()) leave_out(bound, stage, context);
}

}  // namespace

void BatchUndo::remember(const CompiledPlan& compiled, const std::vector<BoundOp>& all) {
  has_all_ = !has_one_update(compiled.ops);
  if (has_all_) {
    all_ = copy(network_.own_state(all));
    return;
  }
  exchange_ = copy(network_.exchange_state());
  remember_buffers();
  remember_ops(all);
}

// In the same memory every time, unless a model has others by now.
void BatchUndo::remember_buffers() {
  const c10::AutoGradMode no_grad(false);
  size_t count = 0;
  for (const auto& model : network_.models().all()) {
    if (!model->is_built()) continue;
    for (const auto& [name, buffer] : model->layer().buffers()) {
      if (count == buffers_.size()) buffers_.emplace_back();
      auto& [kept, before] = buffers_[count++];
      const bool is_known = kept.defined() && kept.is_same(buffer);
      kept = buffer;
      if (is_known && before.sizes() == buffer.sizes())
        before.copy_(buffer);
      else
        before = buffer.detach().clone();
    }
  }
  buffers_.resize(count);
}

void BatchUndo::remember_ops(const std::vector<BoundOp>& all) {
  op_states_.clear();
  for (size_t i = 0; i < all.size(); ++i) {
    if (all[i].is_update()) continue;
    State state = all[i].op->state();
    if (!state.tensors.empty() || !state.values.empty()) op_states_.emplace_back(i, copy(state));
  }
}

Stage BatchUndo::take_back(const std::vector<BoundOp>& all, Stage stage) {
  const c10::AutoGradMode no_grad(false);
  for (const auto& model : network_.models().all())
    for (const auto& named : model->optimizers().all())
      if (stage != Stage::kLoss) named.optimizer->drop_gradients();
  if (has_all_) {
    network_.restore(all_, all);
    return Stage::kLoss;
  }
  network_.restore_exchange(exchange_);
  for (const auto& [buffer, before] : buffers_) buffer.copy_(before);
  for (const auto& [index, state] : op_states_) all[index].op->restore(state);
  return stage;
}

void BatchUndo::undo(const CompiledPlan& compiled, const std::vector<BoundOp>& all, Stage stage,
                     StepContext& context) {
  leave_out(compiled.ops, take_back(all, stage), context);
}

void BatchUndo::replace(const State& network, const CompiledPlan& compiled,
                        const std::vector<BoundOp>& all, Stage stage, StepContext& context) {
  stage = take_back(all, stage);
  std::vector<std::pair<Optimizer*, double>> factors;
  for (const auto& model : network_.models().all())
    for (const auto& named : model->optimizers().all())
      factors.emplace_back(named.optimizer.get(), named.optimizer->rate_factor());
  std::vector<State> windows;
  for (const BoundOp& bound : all) {
    State window;
    const Json batches = bound.op->state().values.value("batches", Json());
    if (bound.is_update() && batches.is_number())
      window.values = {{"batches", batches}, {"weights", 0.0}};
    windows.push_back(std::move(window));
  }
  network_.restore(network, all);
  for (const auto& [optimizer, factor] : factors) optimizer->set_rate_factor(factor);
  for (size_t i = 0; i < all.size(); ++i)
    if (all[i].is_update()) {
      all[i].op->restore(windows[i]);
      for (const auto& twin : all[i].twins) twin->restore_shard(State());
    }
  leave_out(compiled.ops, stage, context);
}

void BatchUndo::keep_point(int64_t step, const std::vector<BoundOp>& all) {
  points_[step] = copy(network_.own_state(all));
  if (points_.size() > kMostPoints) points_.erase(points_.begin());
}

const State* BatchUndo::point(int64_t step) const {
  const auto found = points_.find(step);
  return found == points_.end() ? nullptr : &found->second;
}

}  // namespace hearth
