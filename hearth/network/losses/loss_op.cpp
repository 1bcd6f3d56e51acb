// Losses of elements or samples, with weights and masks, to one number.
#include "hearth/network/losses/loss_op.h"

#include <ATen/ops/ones_like.h>

#include "hearth/network/model.h"
#include "hearth/tensor/sample_weights.h"

namespace hearth {

namespace {

// Where each sample has one loss and all of them count, samples are what it is the mean of; only
// the CPU is asked for that.
LossCount mean_of(const at::Tensor& counts) {
  if (!counts.defined()) return {};
  const at::Tensor total = counts.detach().sum(at::kDouble);
  if (counts.dim() == 1 && total.is_cpu() &&
      total.item<double>() == static_cast<double>(counts.numel()))
    return {};
  return {total};
}

}  // namespace

ReducedLoss reduced(const LossValues& found, const at::Tensor& weight, const at::Tensor& mask,
                    const std::string& reduction) {
  at::Tensor losses = found.losses;
  at::Tensor counts = found.counts;
  // What is hidden may be anything, even not a number.
  if (mask.defined()) {
    const at::Tensor shown = spread_over(mask, losses).to(at::kBool);
    losses = losses.masked_fill(shown.logical_not(), 0);
    counts = counts.defined() ? counts.mul(shown) : shown.to(losses.scalar_type());
  }
  if (weight.defined()) {
    const at::Tensor factor = spread_over(weight, losses).to(losses.scalar_type());
    losses = losses.mul(factor);
    counts = counts.defined() ? counts.mul(factor) : factor;
  }
  if (reduction == "none") return {losses};
  if (reduction == "sum" || losses.numel() == 0) return {losses.sum()};
  if (!counts.defined()) return {losses.mean()};
  const at::Tensor all = counts.to(losses.scalar_type()).expand_as(losses);
  const at::Tensor total = all.sum();
  return {losses.sum().div(loss_divisor(total)), all};
}

std::vector<std::string> LossBase::reads() const {
  std::vector<std::string> keys = keys_.in;
  if (!keys_.weight.empty()) keys.push_back(keys_.weight);
  if (!keys_.mask.empty()) keys.push_back(keys_.mask);
  return keys;
}

void LossBase::bind(ModelSet& models) { kernels_ = models.kernels; }

std::vector<Spec> LossBase::infer(const std::vector<Spec>& inputs) {
  std::vector<KeySpec> keys;
  for (size_t i = 0; i < keys_.in.size(); ++i) keys.push_back({keys_.in[i], inputs[i]});
  const LossShape shape = check(keys);
  Spec loss;
  loss.dtype = is_floating(inputs[0].dtype) ? inputs[0].dtype : DType::kFloat32;
  loss.is_per_batch = keys_.reduction != "none";
  if (!loss.is_per_batch) loss.shape = shape.losses;
  size_t next = keys_.in.size();
  if (!keys_.weight.empty())
    check_weight({keys_.weight, inputs[next++]}, "weight", shape.losses, "loss");
  if (!keys_.mask.empty())
    check_mask({keys_.mask, inputs[next]}, hides_by_itself() ? shape.mask : shape.losses, "loss");
  return {loss};
}

void LossBase::run(StepContext& context, std::span<const at::Tensor> inputs,
                   std::span<at::Tensor> outputs) {
  LossInputs given{inputs.first(keys_.in.size()), {}, kernels_};
  if (keys_.weight.empty() && keys_.mask.empty() && keys_.reduction == "mean") {
    outputs[0] = fast_mean(context, given);
    if (outputs[0].defined()) {
      if (context.loss_counts != nullptr)
        context.output_count = mean_of(fast_counts(context, given));
      return;
    }
  }
  size_t next = keys_.in.size();
  const at::Tensor weight = keys_.weight.empty() ? at::Tensor() : inputs[next++];
  at::Tensor mask = keys_.mask.empty() ? at::Tensor() : inputs[next];
  if (hides_by_itself() && mask.defined()) given.mask = std::exchange(mask, {}).to(at::kBool);
  const ReducedLoss found = reduced(losses_of(context, given), weight, mask, keys_.reduction);
  outputs[0] = found.loss;
  if (context.loss_counts != nullptr) {
    context.output_count = mean_of(found.counts);
    context.output_count.is_sum = keys_.reduction == "sum";
  }
  // Replicas take the mean of their parts, each by its share of the samples.
  if (keys_.reduction == "sum" && context.crew != nullptr)
    outputs[0] = outputs[0].div(context.share);
}

}  // namespace hearth
