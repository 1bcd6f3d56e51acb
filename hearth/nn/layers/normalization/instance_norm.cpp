// Normalization of every channel, each sample by itself.
#include "hearth/nn/layers/normalization/instance_norm.h"

#include <ATen/ops/instance_norm.h>
#include <ATen/ops/zeros.h>

#include "hearth/config/registry.h"
#include "hearth/kernels/normalization/group_norm.h"
#include "hearth/nn/grid.h"
#include "hearth/nn/init.h"

namespace hearth::layers {
namespace {

class InstanceNorm : public Layer {
 public:
  using Options = InstanceNormOptions;
  explicit InstanceNorm(InstanceNormOptions options) : options_(options) {}

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    require_channels(context, "instance_norm", input, 1);
    const int64_t channels = input.shape[0];
    if (options_.affine) {
      weight_ = add_parameter("weight", filled(context, "weight", {channels}, 1));
      bias_ = add_parameter("bias", filled(context, "bias", {channels}, 0));
    }
    if (options_.track_running_stats) {
      running_mean_ = add_buffer("running_mean", filled(context, "running_mean", {channels}, 0));
      running_var_ = add_buffer("running_var", filled(context, "running_var", {channels}, 1));
      batches_ = add_buffer("num_batches_tracked", at::zeros({}, at::kLong));
    }
    Spec output;
    output.shape = input.shape;
    return output;
  }

  at::Tensor forward(const at::Tensor& input) override {
    if (!options_.track_running_stats)
      return group_norm_images(kernels(), input, weight_, bias_, {input.size(1), options_.eps});
    return at::instance_norm(input, weight_, bias_, running_mean_, running_var_, is_training(),
                             options_.momentum, options_.eps, /*cudnn_enabled=*/true);
  }

 private:
  InstanceNormOptions options_;
  at::Tensor weight_;
  at::Tensor bias_;
  at::Tensor running_mean_;
  at::Tensor running_var_;
  at::Tensor batches_;  // PyTorch has it, and never counts
};

}  // namespace

const Schema<InstanceNormOptions>& InstanceNormOptions::schema() {
  using O = InstanceNormOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::eps, "eps", "Added to the variance, so that nothing is divided by zero.",
                 above(0))
          .field(&O::momentum, "momentum",
                 "Share of the batch's statistics that goes into the running ones.", at_least(0),
                 at_most(1))
          .field(&O::affine, "affine", "Scale and shift every channel by learned values.")
          .field(&O::track_running_stats, "track_running_stats",
                 "Keep running statistics, and use them in evaluation.");
  return fields;
}

Choice<Layer> instance_norm(InstanceNormOptions options) {
  return choose<Layer>("instance_norm", options);
}

void register_instance_norm(Registry<Layer>& layers) {
  layers.add<InstanceNorm>(
      "instance_norm",
      "Every channel of [C, ...] brought to mean 0 and deviation 1, each sample by itself.");
}

}  // namespace hearth::layers
