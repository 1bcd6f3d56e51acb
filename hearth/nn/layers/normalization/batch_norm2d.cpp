// Batch normalization of every channel of an image.
#include "hearth/nn/layers/normalization/batch_norm2d.h"

#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>

#include "hearth/config/registry.h"
#include "hearth/kernels/normalization/batch_norm.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

class BatchNorm2d : public Layer {
 public:
  using Options = BatchNorm2dOptions;
  explicit BatchNorm2d(BatchNorm2dOptions options) : options_(options) {}

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    require_image(context, "batch_norm2d", input);
    const int64_t channels = input.shape[0];
    tensors_.weight = add_parameter("weight", at::ones({channels}));
    tensors_.bias = add_parameter("bias", at::zeros({channels}));
    tensors_.running_mean = add_buffer("running_mean", at::zeros({channels}));
    tensors_.running_var = add_buffer("running_var", at::ones({channels}));
    batches_ = add_buffer("num_batches_tracked", at::zeros({}, at::kLong));
    Spec output;
    output.shape = input.shape;
    return output;
  }

  at::Tensor forward(const at::Tensor& input) override { return forward(input, {}); }

  at::Tensor forward(const at::Tensor& input, const Tail& tail) override {
    if (is_training()) batches_.add_(1);
    const BatchNormSettings settings{is_training(), options_.momentum, options_.eps};
    return batch_norm(kernels(), input, tensors_, settings, tail.addend, tail.relu);
  }

 private:
  BatchNorm2dOptions options_;
  BatchNormTensors tensors_;
  at::Tensor batches_;  // nothing here reads it; files of PyTorch's have it
};

}  // namespace

const Schema<BatchNorm2dOptions>& BatchNorm2dOptions::schema() {
  using O = BatchNorm2dOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::momentum, "momentum",
                 "Share of the batch's statistics that goes into the running ones.", at_least(0),
                 at_most(1))
          .field(&O::eps, "eps", "Added to the variance, so that nothing is divided by zero.",
                 above(0));
  return fields;
}

Choice<Layer> batch_norm2d(BatchNorm2dOptions options) {
  return choose<Layer>("batch_norm2d", options);
}

void register_batch_norm2d(Registry<Layer>& layers) {
  layers.add<BatchNorm2d>("batch_norm2d",
                          "Every channel of an image [C, H, W] brought to mean 0 and deviation 1 "
                          "over the batch, then scaled and shifted.");
}

}  // namespace hearth::layers
