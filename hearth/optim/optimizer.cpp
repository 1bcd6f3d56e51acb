// What all optimizers share: their parameters, and a step over all of them.
#include "hearth/optim/optimizer.h"

#include <ATen/ops/zeros_like.h>
#include <c10/core/GradMode.h>

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/kernels/weight/weight_order.h"
#include "hearth/optim/gradient_norm.h"
#include "hearth/tensor/tree_sum.h"

namespace hearth {
namespace {

constexpr const char* kAverageSlot = "average";
constexpr const char* kRateFactor = "rate_factor";

}  // namespace

Optimizer::Optimizer(const Scheduled& lr, std::vector<OptimizerSlot> slots)
    : lr_(lr), memory_(std::move(slots)) {
  has_own_average_ = memory_.find_slot(kAverageSlot) < memory_.slots().size();
}

void Optimizer::attach(std::vector<NamedTensor> parameters, Kernels kernels,
                       std::optional<double> average) {
  for (NamedTensor& parameter : parameters) {
    const bool is_known = std::any_of(
        parameters_.begin(), parameters_.end(),
        [&](const NamedTensor& known) { return known.second.is_same(parameter.second); });
    if (is_known) continue;
    sizes_.push_back(parameter.second.sizes().vec());
    parameters_.push_back(std::move(parameter));
  }
  kernels_ = kernels;
  if (has_own_average_) return;
  average_ = average;
  if (!average_) return;
  OptimizerSlot slot(kAverageSlot);
  slot.is_on_every_rank = true;  // evaluation needs all of it everywhere
  memory_.add_slot(slot);
}

int64_t Optimizer::values_in_slot(size_t slot, at::IntArrayRef sizes) const {
  return memory_.slots()[slot].has_own_shape ? 0 : c10::multiply_integers(sizes);
}

int64_t Optimizer::expected_bytes() const {
  const size_t own_slots = memory_.slots().size() - (average_ ? 1 : 0);
  OptimizerMemory::Entry entry;
  entry.slots.resize(memory_.slots().size());
  const Moment start{0, 0, {1, 1, 1}};
  int64_t bytes = 0;
  for (size_t i = 0; i < parameters_.size(); ++i) {
    const at::Tensor& parameter = parameters_[i].second;
    if (!parameter.requires_grad()) continue;
    int64_t values = average_ ? parameter.numel() : 0;
    if (const auto found = rule(entry, {start, 0, sizes_[i].size() < 2}))
      values += static_cast<int64_t>(found->formula->slots) * parameter.numel();
    else
      for (size_t slot = 0; slot < own_slots; ++slot) values += values_in_slot(slot, sizes_[i]);
    bytes += values * static_cast<int64_t>(parameter.element_size());
  }
  return bytes;
}

State Optimizer::state() const {
  State state = memory_.state(parameters());
  if (rate_factor_ != 1) state.values[kRateFactor] = rate_factor_;
  return state;
}

State Optimizer::common_state() const {
  State state = memory_.common_state(parameters());
  if (rate_factor_ != 1) state.values[kRateFactor] = rate_factor_;
  return state;
}

State Optimizer::whole_state(const std::vector<State>& of_ranks) const {
  State state = memory_.whole_state(parameters(), of_ranks);
  if (rate_factor_ != 1) state.values[kRateFactor] = rate_factor_;
  return state;
}

void Optimizer::restore(const State& state) {
  memory_.restore(state, parameters());
  rate_factor_ = state.values.value(kRateFactor, 1.0);
}

const std::vector<NamedTensor>& Optimizer::parameters() const {
  for (size_t i = 0; i < parameters_.size(); ++i)
    unpack_parameter(parameters_[i].second, sizes_[i]);
  return parameters_;
}

at::Tensor Optimizer::average(size_t index) const {
  const bool has_averages = average_ || has_own_average_;
  const OptimizerMemory::Entry* entry = has_averages ? memory_.find(index) : nullptr;
  if (entry == nullptr || entry->slots.empty()) return {};
  return entry->slots[memory_.find_slot(kAverageSlot)];
}

// The first values say little: early averages forget them sooner.
double Optimizer::average_decay(const OptimizerMemory::Entry& entry) const {
  const auto updates = static_cast<double>(entry.steps);
  return std::min(*average_, (1 + updates) / (10 + updates));
}

std::vector<at::Tensor> Optimizer::gradients(size_t index,
                                             std::span<Optimizer* const> others) const {
  const at::Tensor& parameter = parameters_[index].second;
  std::vector<at::Tensor> found = {parameter.grad()};
  for (const Optimizer* other : others) found.push_back(other->parameters_[index].second.grad());
  for (at::Tensor& gradient : found)
    if (gradient.defined() && found.size() > 1) gradient = laid_out_like(gradient, parameter);
  return found;
}

void Optimizer::take_gradients(std::span<Optimizer* const> others) {
  if (others.empty()) return;
  const c10::AutoGradMode no_grad(false);
  for (size_t i = 0; i < parameters_.size(); ++i)
    parameters_[i].second.mutable_grad() = tree_sum(gradients(i, others));
  for (Optimizer* other : others) other->drop_gradients();
}

std::vector<at::Tensor> Optimizer::own_gradients() const {
  std::vector<at::Tensor> found;
  for (const auto& [name, parameter] : parameters_)
    if (parameter.grad().defined()) found.push_back(parameter.grad());
  return found;
}

std::vector<NamedTensor> Optimizer::gradients_with(std::span<Optimizer* const> others) const {
  const c10::AutoGradMode no_grad(false);
  std::vector<NamedTensor> sums;
  for (size_t i = 0; i < parameters_.size(); ++i)
    if (const at::Tensor sum = tree_sum(gradients(i, others)); sum.defined())
      sums.emplace_back(parameters_[i].first, sum);
  return sums;
}

void Optimizer::drop_gradients() {
  for (const auto& [name, parameter] : parameters_) parameter.mutable_grad() = at::Tensor();
}

void Optimizer::step(const Moment& moment, double clip_norm, const OptimizerReplicas& replicas) {
  const c10::AutoGradMode no_grad(false);
  begin_step(moment);
  if (shares().are_shared()) {
    step_share(moment, clip_norm, replicas);
  } else if (can_step_fast(moment, replicas.others)) {
    step_fast(moment, clip_norm, replicas.crew);
  } else {
    take_gradients(replicas.others);
    step_plain(moment, clip_norm);
  }
  pending_.clear();
}

void Optimizer::begin_step(const Moment& moment) {
  lr_now_ = learning_rate(moment);
  groups_.begin_step(moment);
  for (size_t i = 0; i < parameters_.size() && groups_.can_freeze(); ++i)
    if (groups_.is_frozen(i)) parameters_[i].second.mutable_grad() = at::Tensor();
}

void Optimizer::follow_groups(const Moment& moment) {
  if (!groups_.can_freeze()) return;
  groups_.begin_step(moment);
  stopped_.resize(parameters_.size());
  for (size_t i = 0; i < parameters_.size(); ++i) {
    const at::Tensor& parameter = parameters_[i].second;
    const bool is_frozen = groups_.is_frozen(i);
    if (is_frozen == stopped_[i] || (is_frozen && !parameter.requires_grad())) continue;
    parameter.set_requires_grad(!is_frozen);
    stopped_[i] = is_frozen;
  }
}

ParameterStep Optimizer::step_of(size_t index, const Moment& moment) const {
  return {moment, lr_now_ * groups_.lr_factor(index), sizes_[index].size() < 2};
}

const Optimizer& Optimizer::ruler(size_t index) const {
  const Optimizer* other = groups_.rule(index);
  return other == nullptr ? *this : *other;
}

void Optimizer::follow_parameters() {
  for (size_t i = 0; i < parameters_.size(); ++i) {
    const at::Tensor& parameter = parameters_[i].second;
    const auto follow = [&](at::Tensor& tensor) {
      const bool is_share = tensor.defined() && tensor.numel() != parameter.numel();
      if (tensor.defined() && !is_share && tensor.sizes() != parameter.sizes())
        tensor = laid_out_like(tensor, parameter);
    };
    follow(parameter.mutable_grad());
    std::vector<at::Tensor>& slots = memory_.at(i).slots;
    for (size_t k = 0; k < slots.size(); ++k)
      if (!memory_.slots()[k].has_own_shape) follow(slots[k]);
  }
}

at::Tensor Optimizer::first_slot(size_t, const at::Tensor& parameter, const ParameterStep&) const {
  return at::zeros_like(parameter.detach());
}

void Optimizer::update(const at::Tensor& parameter, OptimizerMemory::Entry& entry,
                       const ParameterStep& step) const {
  const std::optional<UpdateRule> numbers = rule(entry, step);
  if (!numbers) throw InternalError("An optimizer has neither a rule nor an update.");
  for (size_t k = 0; k < numbers->formula->slots; ++k)
    if (!entry.slots[k].defined()) entry.slots[k] = first_slot(k, parameter, step);
  const double factor = numbers->gradient_factor;
  const at::Tensor gradient = factor == 1 ? parameter.grad() : parameter.grad().mul(factor);
  numbers->formula->plain(parameter, gradient, entry.slots, numbers->numbers);
}

void Optimizer::begin_average(size_t index) {
  if (!average_) return;
  at::Tensor& average = memory_.at(index).slots.back();
  if (!average.defined()) average = parameters_[index].second.detach().clone();
}

void Optimizer::follow_average(size_t index) {
  if (!average_) return;
  OptimizerMemory::Entry& entry = memory_.at(index);
  if (!entry.slots.back().defined()) return;
  const double decay = average_decay(entry);
  entry.slots.back().mul_(decay).add_(parameters_[index].second, 1 - decay);
}

void Optimizer::move_one(size_t index, const Moment& moment) {
  OptimizerMemory::Entry& entry = memory_.at(index);
  ruler(index).update(parameters_[index].second, entry, step_of(index, moment));
  ruler(index).remember(entry, step_of(index, moment));
}

void Optimizer::step_plain(const Moment& moment, double clip_norm) {
  if (needs_shapes()) (void)parameters();
  follow_parameters();
  if (clip_norm > 0) clip_gradient_norm(own_gradients(), clip_norm);
  if (searches()) return step_by_search(moment, 0, {});
  for (size_t i = 0; i < parameters_.size(); ++i) {
    const bool has_gradient = parameters_[i].second.grad().defined();
    if (has_gradient) begin_average(i);
    if (has_gradient) move_one(i, moment);
    follow_average(i);
    if (has_gradient) memory_.at(i).steps += 1;
  }
}

void Optimizer::step_along(const Moment& moment, double loss,
                           const std::function<double()>& evaluate) {
  const c10::AutoGradMode no_grad(false);
  begin_step(moment);
  follow_parameters();
  step_by_search(moment, loss, evaluate);
}

// Those without a gradient take part with zeros, so that what is remembered fits from step to step.
void Optimizer::step_by_search(const Moment& moment, double loss,
                               const std::function<double()>& evaluate) {
  Search found{{}, {}, moment, lr_now_, loss, evaluate};
  std::vector<size_t> moved;
  for (size_t i = 0; i < parameters_.size(); ++i)
    if (parameters_[i].second.grad().defined()) moved.push_back(i);
  for (const size_t index : moved) begin_average(index);
  if (!moved.empty()) (void)memory_.at(parameters_.size() - 1);  // no entry moves from now on
  for (size_t i = 0; i < parameters_.size() && !moved.empty(); ++i) {
    found.parameters.push_back(parameters_[i].second);
    found.entries.push_back(&memory_.at(i));
  }
  if (!moved.empty()) search(found);
  for (size_t i = 0; i < parameters_.size(); ++i) follow_average(i);
  for (const size_t index : moved) memory_.at(index).steps += 1;
}

}  // namespace hearth
