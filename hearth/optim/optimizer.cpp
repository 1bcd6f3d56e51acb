// What all optimizers share: their parameters, and a step over all of them.
#include "hearth/optim/optimizer.h"

#include <ATen/ops/norm.h>
#include <ATen/ops/stack.h>
#include <c10/core/GradMode.h>

#include <algorithm>

#include "hearth/kernels/weight/weight_order.h"

namespace hearth {
namespace {

// PyTorch's clip_grad_norm_; the factor stays on the device, so that nothing waits for it.
void clip_gradients(const std::vector<NamedTensor>& parameters, double limit) {
  std::vector<at::Tensor> norms;
  for (const auto& [name, parameter] : parameters) {
    if (parameter.grad().defined()) norms.push_back(at::norm(parameter.grad(), 2));
  }
  if (norms.empty()) return;
  const at::Tensor norm = at::norm(at::stack(norms), 2);
  const at::Tensor factor = norm.add(1e-6).reciprocal_().mul_(limit).clamp_max_(1);
  for (const auto& [name, parameter] : parameters) {
    if (parameter.grad().defined()) parameter.mutable_grad().mul_(factor);
  }
}

at::Tensor sum_of(const std::vector<at::Tensor>& tensors) {
  at::Tensor sum = tensors[0];
  for (size_t k = 1; k < tensors.size(); ++k) sum = sum.add(tensors[k]);
  return sum;
}

}  // namespace

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
  average_ = average;
  if (average_) memory_.add_slot("average");
}

const std::vector<NamedTensor>& Optimizer::parameters() const {
  for (size_t i = 0; i < parameters_.size(); ++i)
    unpack_parameter(parameters_[i].second, sizes_[i]);
  return parameters_;
}

at::Tensor Optimizer::average(size_t index) const {
  const OptimizerMemory::Entry* entry = average_ ? memory_.find(index) : nullptr;
  return entry == nullptr || entry->slots.empty() ? at::Tensor() : entry->slots.back();
}

// The first values say little: early averages forget them sooner.
double Optimizer::average_decay(const OptimizerMemory::Entry& entry) const {
  const auto updates = static_cast<double>(entry.steps);
  return std::min(*average_, (1 + updates) / (10 + updates));
}

std::vector<at::Tensor> Optimizer::gradients(size_t index,
                                             std::span<Optimizer* const> others) const {
  std::vector<at::Tensor> found;
  const auto add = [&](const at::Tensor& gradient) {
    if (gradient.defined()) found.push_back(gradient);
  };
  add(parameters_[index].second.grad());
  for (const Optimizer* other : others) add(other->parameters_[index].second.grad());
  return found;
}

void Optimizer::take_gradients(std::span<Optimizer* const> others) {
  if (others.empty()) return;
  const c10::AutoGradMode no_grad(false);
  for (size_t i = 0; i < parameters_.size(); ++i) {
    const std::vector<at::Tensor> found = gradients(i, others);
    if (!found.empty()) parameters_[i].second.mutable_grad() = sum_of(found);
  }
  for (Optimizer* other : others) other->drop_gradients();
}

std::vector<NamedTensor> Optimizer::gradients_with(std::span<Optimizer* const> others) const {
  const c10::AutoGradMode no_grad(false);
  std::vector<NamedTensor> sums;
  for (size_t i = 0; i < parameters_.size(); ++i)
    if (const std::vector<at::Tensor> found = gradients(i, others); !found.empty())
      sums.emplace_back(parameters_[i].first, sum_of(found));
  return sums;
}

void Optimizer::drop_gradients() {
  for (const auto& [name, parameter] : parameters_) parameter.mutable_grad() = at::Tensor();
}

void Optimizer::step(const Moment& moment, double clip_norm, const OptimizerReplicas& replicas) {
  const c10::AutoGradMode no_grad(false);
  const double lr = lr_.at(moment);
  if (can_step_fast(lr, replicas.others)) {
    step_fast(clip_norm, replicas.crew);
  } else {
    take_gradients(replicas.others);
    step_plain(lr, clip_norm);
  }
  pending_.clear();
}

void Optimizer::follow_parameters() {
  for (size_t i = 0; i < parameters_.size(); ++i) {
    const at::Tensor& parameter = parameters_[i].second;
    const auto follow = [&](at::Tensor& tensor) {
      if (tensor.defined() && tensor.sizes() != parameter.sizes())
        tensor = laid_out_like(tensor, parameter);
    };
    follow(parameter.mutable_grad());
    for (at::Tensor& slot : memory_.at(i).slots) follow(slot);
  }
}

void Optimizer::step_plain(double lr, double clip_norm) {
  follow_parameters();
  if (clip_norm > 0) clip_gradients(parameters_, clip_norm);
  for (size_t i = 0; i < parameters_.size(); ++i) {
    const at::Tensor& parameter = parameters_[i].second;
    OptimizerMemory::Entry& entry = memory_.at(i);
    const bool has_gradient = parameter.grad().defined();
    if (average_ && has_gradient && !entry.slots.back().defined()) {
      entry.slots.back() = parameter.detach().clone();
    }
    if (has_gradient) update(parameter, entry, lr);
    if (average_ && entry.slots.back().defined()) {
      const double decay = average_decay(entry);
      entry.slots.back().mul_(decay).add_(parameter, 1 - decay);
    }
    if (has_gradient) entry.steps += 1;
  }
}

}  // namespace hearth
