// Bounds the norm of all gradients together.
#include "hearth/network/ops/clip_norm.h"

#include "hearth/config/registry.h"
#include "hearth/network/gradient_op.h"
#include "hearth/optim/gradient_norm.h"
#include "hearth/schedule/timed.h"

namespace hearth::network_ops {
namespace {

class ClipNormOp : public GradientOp {
 public:
  using Options = ClipNormOptions;
  using TimedOptions = Timed<ClipNormOptions>;
  explicit ClipNormOp(TimedOptions options)
      : GradientOp(options.fixed().in), options_(std::move(options)) {}

 protected:
  void change(const StepContext& context, const std::vector<at::Tensor>& gradients) override {
    clip_gradient_norm(gradients, options_.at(context.moment).at);
  }

 private:
  TimedOptions options_;
};

}  // namespace

const Schema<ClipNormOptions>& ClipNormOptions::schema() {
  using O = ClipNormOptions;
  static const auto fields = gradient_schema<O>().field(
      &O::at, "at", "Largest norm of all gradients together: larger ones are scaled down to it.",
      above(0));
  return fields;
}

Choice<NetworkOp> clip_norm(ClipNormOptions options) {
  return choose<NetworkOp>("clip_norm", options);
}

void register_clip_norm(Registry<NetworkOp>& ops) {
  ops.add<ClipNormOp>("clip_norm", "Bounds the norm of all gradients together.");
}

}  // namespace hearth::network_ops
