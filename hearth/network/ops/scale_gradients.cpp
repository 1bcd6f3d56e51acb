// Multiplies gradients by a number.
#include "hearth/network/ops/scale_gradients.h"

#include "hearth/config/registry.h"
#include "hearth/network/gradient_op.h"
#include "hearth/schedule/timed.h"

namespace hearth::network_ops {
namespace {

class ScaleGradientsOp : public GradientOp {
 public:
  using Options = ScaleGradientsOptions;
  using TimedOptions = Timed<ScaleGradientsOptions>;
  explicit ScaleGradientsOp(TimedOptions options)
      : GradientOp(options.fixed().in), options_(std::move(options)) {}

 protected:
  void change(const StepContext& context, const std::vector<at::Tensor>& gradients) override {
    const double factor = options_.at(context.moment).by;
    for (const at::Tensor& gradient : gradients) gradient.mul_(factor);
  }

 private:
  TimedOptions options_;
};

}  // namespace

const Schema<ScaleGradientsOptions>& ScaleGradientsOptions::schema() {
  using O = ScaleGradientsOptions;
  static const auto fields = gradient_schema<O>().field(&O::by, "by", "The factor.");
  return fields;
}

Choice<NetworkOp> scale_gradients(ScaleGradientsOptions options) {
  return choose<NetworkOp>("scale_gradients", options);
}

void register_scale_gradients(Registry<NetworkOp>& ops) {
  ops.add<ScaleGradientsOp>("scale_gradients", "Multiplies gradients by a number.");
}

}  // namespace hearth::network_ops
