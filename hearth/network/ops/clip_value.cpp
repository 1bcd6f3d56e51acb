// Bounds every number of the gradients.
#include "hearth/network/ops/clip_value.h"

#include "hearth/config/registry.h"
#include "hearth/network/gradient_op.h"
#include "hearth/schedule/timed.h"

namespace hearth::network_ops {
namespace {

class ClipValueOp : public GradientOp {
 public:
  using Options = ClipValueOptions;
  using TimedOptions = Timed<ClipValueOptions>;
  explicit ClipValueOp(TimedOptions options)
      : GradientOp(options.fixed().in), options_(std::move(options)) {}

 protected:
  void change(const StepContext& context, const std::vector<at::Tensor>& gradients) override {
    const double limit = options_.at(context.moment).at;
    for (const at::Tensor& gradient : gradients) gradient.clamp_(-limit, limit);
  }

 private:
  TimedOptions options_;
};

}  // namespace

const Schema<ClipValueOptions>& ClipValueOptions::schema() {
  using O = ClipValueOptions;
  static const auto fields = gradient_schema<O>().field(
      &O::at, "at", "Largest number, and the least with a minus.", above(0));
  return fields;
}

Choice<NetworkOp> clip_value(ClipValueOptions options) {
  return choose<NetworkOp>("clip_value", options);
}

void register_clip_value(Registry<NetworkOp>& ops) {
  ops.add<ClipValueOp>("clip_value", "Bounds every number of the gradients.");
}

}  // namespace hearth::network_ops
