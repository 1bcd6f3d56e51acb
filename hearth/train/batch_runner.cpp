// Takes one batch through a plan: host memory to tensors, network ops, metrics.
#include "hearth/train/batch_runner.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/from_blob.h>

#include "hearth/tensor/convert.h"

namespace hearth {
namespace {

// The batch's memory as a tensor; it returns to its pool when the tensor dies.
at::Tensor as_tensor(const HostBatch& batch, int slot, at::Device device) {
  const Spec& spec = batch.spec(slot);
  std::vector<int64_t> sizes = {batch.rows()};
  sizes.insert(sizes.end(), spec.shape.begin(), spec.shape.end());
  at::Tensor tensor = at::from_blob(
      batch.data(slot), sizes, [batch](void*) {},
      at::TensorOptions().dtype(scalar_type(spec.dtype)));
  return device.is_cpu() ? tensor : tensor.to(device, /*non_blocking=*/true);
}

}  // namespace

void BatchRunner::run(const CompiledPlan& compiled, const HostBatch& batch, StepContext& context) {
  const std::vector<PlanValue>& values = compiled.plan.values;
  values_.assign(values.size(), at::Tensor());
  for (size_t slot = 0; slot < values.size(); ++slot)
    if (values[slot].crosses_to_network)
      values_[slot] = as_tensor(batch, static_cast<int>(slot), network_.models().device);
  network_.run(compiled.calls, context, values_);
}

void BatchRunner::update_metrics(const CompiledPlan& compiled) const {
  const at::AutoGradMode no_gradients(false);
  std::vector<at::Tensor> inputs;
  for (const MetricCall& call : compiled.metrics) {
    inputs.clear();
    for (int slot : call.inputs) inputs.push_back(value(slot).detach());
    call.metric->update(inputs);
  }
}

std::vector<std::pair<std::string, double>> BatchRunner::scalars(
    const CompiledPlan& compiled) const {
  std::vector<std::pair<std::string, double>> numbers;
  const std::vector<PlanValue>& values = compiled.plan.values;
  for (size_t slot = 0; slot < values.size(); ++slot)
    if (values[slot].is_recorded && values[slot].spec.is_per_batch &&
        values[slot].spec.shape.empty())
      numbers.emplace_back(values[slot].key, values_[slot].item().toDouble());
  return numbers;
}

}  // namespace hearth
