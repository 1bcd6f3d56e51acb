// Adds normally distributed noise to gradients.
#include "hearth/network/ops/gradient_noise.h"

#include <ATen/ops/empty.h>

#include "hearth/config/registry.h"
#include "hearth/kernels/random_stream.h"
#include "hearth/network/gradient_op.h"
#include "hearth/schedule/timed.h"

namespace hearth::network_ops {
namespace {

class GradientNoiseOp : public GradientOp {
 public:
  using Options = GradientNoiseOptions;
  using TimedOptions = Timed<GradientNoiseOptions>;
  explicit GradientNoiseOp(TimedOptions options)
      : GradientOp(options.fixed().in), options_(std::move(options)) {}

 protected:
  void change(const StepContext& context, const std::vector<at::Tensor>& gradients) override {
    const double deviation = options_.at(context.moment).deviation;
    if (deviation == 0) return;
    // Drawn one after the other, however the gradient lies in memory.
    for (const at::Tensor& gradient : gradients)
      gradient.add_(at::empty({gradient.numel()}, gradient.options())
                        .normal_(0, deviation, random_generator())
                        .reshape(gradient.sizes()));
  }

 private:
  TimedOptions options_;
};

}  // namespace

const Schema<GradientNoiseOptions>& GradientNoiseOptions::schema() {
  using O = GradientNoiseOptions;
  static const auto fields = gradient_schema<O>().field(
      &O::deviation, "deviation", "Standard deviation of the noise.", at_least(0));
  return fields;
}

Choice<NetworkOp> gradient_noise(GradientNoiseOptions options) {
  return choose<NetworkOp>("gradient_noise", options);
}

void register_gradient_noise(Registry<NetworkOp>& ops) {
  ops.add<GradientNoiseOp>("gradient_noise", "Adds normally distributed noise to gradients.");
}

}  // namespace hearth::network_ops
