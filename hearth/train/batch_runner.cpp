// Takes one batch through a plan: host memory to tensors, network ops, metrics.
#include "hearth/train/batch_runner.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/from_blob.h>

#include <array>
#include <span>

#include "hearth/tensor/convert.h"
#include "hearth/tensor/real_rows.h"

namespace hearth {
namespace {

struct Layout {
  std::array<int64_t, 4> sizes;
  std::array<int64_t, 4> strides;
};

// Channels come first in the network's eyes, and last in memory, as kernels want them. With a
// single one there is no difference, and the tensor is an ordinary one.
Layout image_layout(int64_t rows, std::span<const int64_t> shape) {
  const int64_t height = shape[0];
  const int64_t width = shape[1];
  const int64_t channels = shape[2];
  const int64_t all = height * width * channels;
  if (channels == 1) return {{rows, 1, height, width}, {all, all, width, 1}};
  return {{rows, channels, height, width}, {all, 1, width * channels, channels}};
}

// The first rows of the batch's memory as a tensor; it returns to its pool when the tensor dies.
at::Tensor as_tensor(const HostBatch& batch, int64_t rows, int index, at::Device device) {
  const Spec& spec = batch.spec(index);
  const auto shape = batch.shape(index);
  const auto options = at::TensorOptions().dtype(scalar_type(spec.dtype));
  const auto give_back = [batch](void*) {};
  at::Tensor tensor;
  if (is_image(spec)) {
    const Layout layout = image_layout(rows, shape);
    tensor = at::from_blob(batch.data(index), layout.sizes, layout.strides, give_back, options);
  } else {
    std::vector<int64_t> sizes = {rows};
    sizes.insert(sizes.end(), shape.begin(), shape.end());
    tensor = at::from_blob(batch.data(index), sizes, give_back, options);
  }
  return device.is_cpu() ? tensor : tensor.to(device, /*non_blocking=*/true);
}

// What fills up a batch would count in the statistics of batch norms, and in whatever else a layer
// learns across samples; in training it stays outside.
int64_t rows_to_load(Mode mode, const HostBatch& batch) {
  return mode == Mode::kTrain && batch.real_rows() > 0 ? batch.real_rows() : batch.rows();
}

}  // namespace

void BatchRunner::load(const CompiledPlan& compiled, const HostBatch& batch) {
  const std::vector<PlanValue>& values = compiled.plan.values;
  values_.assign(values.size(), at::Tensor());
  const int64_t rows = rows_to_load(compiled.plan.mode, batch);
  real_rows_ = batch.real_rows() < rows ? batch.real_rows() : -1;
  for (size_t index = 0; index < values.size(); ++index)
    if (values[index].crosses_to_network)
      values_[index] = as_tensor(batch, rows, static_cast<int>(index), network_.models().device);
}

void BatchRunner::compute(const CompiledPlan& compiled, StepContext& context) {
  context.real_rows = real_rows_;
  network_.run(compiled.ops, context, values_);
}

void BatchRunner::infer(const CompiledPlan& compiled, const HostBatch& batch,
                        StepContext& context) {
  load(compiled, batch);
  network_.infer(compiled.ops, context, values_);
}

std::vector<at::Tensor> BatchRunner::measured_values(const CompiledPlan& compiled) const {
  std::vector<at::Tensor> measured(values_.size());
  for (const BoundMetric& bound : compiled.metrics)
    for (const int index : bound.inputs) {
      at::Tensor& slot = measured[static_cast<size_t>(index)];
      if (slot.defined()) continue;
      const Spec& spec = compiled.plan.values[static_cast<size_t>(index)].spec;
      slot = real_rows(value(index), spec, real_rows_);
      if (slot.requires_grad()) slot = slot.detach();
    }
  return measured;
}

void BatchRunner::update_metrics(const CompiledPlan& compiled,
                                 const std::vector<at::Tensor>& values, const Moment& moment) {
  const at::AutoGradMode no_gradients(false);
  std::vector<at::Tensor> inputs;
  for (const BoundMetric& bound : compiled.metrics) {
    inputs.clear();
    for (const int index : bound.inputs) inputs.push_back(values[static_cast<size_t>(index)]);
    bound.metric->update(inputs, moment);
  }
}

std::vector<std::pair<std::string, double>> BatchRunner::scalars(
    const CompiledPlan& compiled) const {
  std::vector<std::pair<std::string, double>> numbers;
  const std::vector<PlanValue>& values = compiled.plan.values;
  for (size_t index = 0; index < values.size(); ++index)
    if (values[index].is_recorded && values[index].spec.is_per_batch &&
        values[index].spec.shape.empty() && values_[index].defined())
      numbers.emplace_back(values[index].key, values_[index].item().toDouble());
  return numbers;
}

}  // namespace hearth
