// Batch normalization of channels on a grid.
#include "hearth/nn/batch_norm_layer.h"

#include <ATen/ops/zeros.h>

#include "hearth/nn/grid.h"
#include "hearth/nn/init.h"
#include "hearth/nn/requirements.h"

namespace hearth {

const Schema<BatchNormOptions>& BatchNormOptions::schema() {
  using O = BatchNormOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::momentum, "momentum",
                 "Share of the batch's statistics that goes into the running ones.", at_least(0),
                 at_most(1))
          .field(&O::eps, "eps", "Added to the variance, so that nothing is divided by zero.",
                 above(0))
          .field(&O::affine, "affine", "Scale and shift by learned values.")
          .field(&O::sync, "sync",
                 "Where training batches are cut into shards: statistics of the whole batch, for "
                 "which shards and processes wait for each other in every such layer. Otherwise "
                 "each shard is normalized by its own.");
  return fields;
}

Spec BatchNormOfChannels::prepare(const Spec& input, const BuildContext& context) {
  const std::string name = name_by_dimensions("batch_norm", dimensions_);
  // Features are channels of one point each.
  if (dimensions_ == 1 && input.shape.size() == 1)
    require_float32(context, name, input);
  else
    require_grid(context, name, input, dimensions_);
  const int64_t channels = input.shape[0];
  if (options_.affine) {
    tensors_.weight = add_parameter("weight", filled(context, "weight", {channels}, 1));
    tensors_.bias = add_parameter("bias", filled(context, "bias", {channels}, 0));
  }
  tensors_.running_mean =
      add_buffer("running_mean", filled(context, "running_mean", {channels}, 0));
  tensors_.running_var = add_buffer("running_var", filled(context, "running_var", {channels}, 1));
  batches_ = add_buffer("num_batches_tracked", at::zeros({}, at::kLong));
  Spec output;
  output.shape = input.shape;
  return output;
}

void BatchNormOfChannels::begin_statistics() {
  gathered_ = 0;
  tensors_.running_mean.zero_();
  tensors_.running_var.fill_(1);
  batches_.zero_();
}

at::Tensor BatchNormOfChannels::forward(const at::Tensor& input, const Tail& tail) {
  BatchNormSettings settings{is_training(), options_.momentum, options_.eps};
  if (is_training()) {
    batches_.add_(1);
    if (options_.sync) settings.shared = shared_sum();
    if (gathered_) settings.momentum = 1 / static_cast<double>(++*gathered_);
  }
  return batch_norm(kernels(), input, tensors_, settings, tail.addend, tail.relu, tail.activation);
}

const Layer* synced_norm(const Layer& layer) {
  if (const auto* norm = dynamic_cast<const BatchNormOfChannels*>(&layer))
    if (norm->is_synced()) return norm;
  for (const auto& [name, child] : layer.children())
    if (const Layer* found = synced_norm(*child)) return found;
  return nullptr;
}

}  // namespace hearth
