// An optimizer's step as one pass of a kernel over all parameters, where they lie in memory.
#include <algorithm>

#include "hearth/kernels/weight/weight_order.h"
#include "hearth/optim/fast_values.h"
#include "hearth/optim/optimizer.h"
#include "hearth/tensor/tree_sum.h"

namespace hearth {
namespace {

// The kernel adds gradients up that are all there; nothing when none is.
std::vector<at::Tensor> all_or_one(std::vector<at::Tensor> gradients) {
  const auto is_there = [](const at::Tensor& gradient) { return gradient.defined(); };
  if (std::all_of(gradients.begin(), gradients.end(), is_there)) return gradients;
  if (at::Tensor sum = tree_sum(gradients); sum.defined()) return {std::move(sum)};
  return {};
}

}  // namespace

bool Optimizer::can_step_fast(const Moment& moment, std::span<Optimizer* const> others) {
  pending_.clear();
  for (size_t i = 0; i < parameters_.size(); ++i) {
    const at::Tensor& parameter = parameters_[i].second;
    std::vector<at::Tensor> found = all_or_one(gradients(i, others));
    if (found.empty()) {
      if (!average_ || !average(i).defined()) continue;
      if (!has_fast_values(kernels_, parameter)) return false;
      pending_.push_back({i, {}, {}});
      continue;
    }
    if (!has_fast_values(kernels_, parameter)) return false;
    for (at::Tensor& gradient : found) {
      if (!goes_fast(kernels_, gradient)) return false;
      gradient = laid_out_like(gradient, parameter);
    }
    const std::optional<UpdateRule> numbers = ruler(i).rule(memory_.at(i), step_of(i, moment));
    if (!numbers || numbers->formula->fast == nullptr) return false;
    pending_.push_back({i, std::move(found), *numbers});
  }
  return true;
}

UpdateSpan Optimizer::span_of(const Pending& pending, const Moment& moment) {
  const at::Tensor parameter = own_values(parameters_[pending.index].second, pending.index);
  OptimizerMemory::Entry& entry = memory_.at(pending.index);
  UpdateSpan span;
  span.size = parameter.numel();
  span.parameter = parameter.data_ptr<float>();
  span.rule = pending.rule;
  if (!pending.gradients.empty()) span.gradient = pending.gradients[0].data_ptr<float>();
  if (pending.gradients.size() > 1) {
    span.more_gradients = more_gradients_.data() + more_gradients_.size();
    span.more_count = static_cast<int>(pending.gradients.size()) - 1;
    for (size_t k = 1; k < pending.gradients.size(); ++k)
      more_gradients_.push_back(pending.gradients[k].data_ptr<float>());
  }
  const size_t slots = pending.rule.formula == nullptr ? 0 : pending.rule.formula->slots;
  for (size_t k = 0; k < slots; ++k) {
    at::Tensor& slot = entry.slots[k];
    if (!slot.defined())
      slot = ruler(pending.index).first_slot(k, parameter, step_of(pending.index, moment));
    span.slots[k] = slot_values(slot, parameter);
  }
  if (!average_ || shares().are_shared()) return span;
  if (!entry.slots.back().defined()) entry.slots.back() = parameter.detach().clone();
  span.average = slot_values(entry.slots.back(), parameter);
  span.average_keep = static_cast<float>(average_decay(entry));
  span.average_take = static_cast<float>(1 - average_decay(entry));
  return span;
}

void Optimizer::gather_spans(const Moment& moment) {
  spans_.clear();
  more_gradients_.clear();
  size_t count = 0;
  for (const Pending& pending : pending_) count += pending.gradients.size();
  more_gradients_.reserve(count);
  for (const Pending& pending : pending_) spans_.push_back(span_of(pending, moment));
}

void Optimizer::step_fast(const Moment& moment, double clip_norm, Crew* crew) {
  gather_spans(moment);
  update_spans(spans_, clip_norm, crew);
  for (const Pending& pending : pending_) {
    if (pending.gradients.empty()) continue;
    OptimizerMemory::Entry& entry = memory_.at(pending.index);
    ruler(pending.index).remember(entry, step_of(pending.index, moment));
    entry.steps += 1;
    // As LibTorch's operators in place do: a backward that needs the old values must notice.
    parameters_[pending.index].second.unsafeGetTensorImpl()->bump_version();
  }
}

}  // namespace hearth
