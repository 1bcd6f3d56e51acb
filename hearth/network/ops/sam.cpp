// Sharpness-aware minimization: the gradient is taken where the loss is worst, `rho` away.
#include "hearth/network/ops/sam.h"

#include "hearth/config/registry.h"
#include "hearth/network/climbing_update.h"
#include "hearth/optim/gradient_norm.h"
#include "hearth/schedule/timed.h"

namespace hearth::network_ops {
namespace {

class SamOp : public ClimbingUpdate {
 public:
  using Options = SamOptions;
  using TimedOptions = Timed<SamOptions>;
  explicit SamOp(TimedOptions options)
      : ClimbingUpdate({"sam", options.fixed().model, options.fixed().loss}),
        timed_(std::move(options)) {}

 private:
  // Along the gradient, `rho` in all.
  [[nodiscard]] std::vector<at::Tensor> climbs(const std::vector<at::Tensor>&,
                                               const std::vector<at::Tensor>& gradients,
                                               const Moment& moment) const override {
    std::vector<at::Tensor> steps;
    const at::Tensor norm = gradient_norm(gradients);
    if (!norm.defined()) return steps;
    const at::Tensor scale = norm.add(1e-12).reciprocal_().mul_(timed_.at(moment).rho);
    for (const at::Tensor& gradient : gradients) steps.push_back(gradient.mul(scale));
    return steps;
  }
  [[nodiscard]] double clip_norm(const Moment& moment) const override {
    return timed_.at(moment).clip_norm;
  }

  TimedOptions timed_;
};

}  // namespace

const Schema<SamOptions>& SamOptions::schema() {
  using O = SamOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::model, "model", "Name of the model.", not_empty())
          .field(&O::loss, "loss", kClimbedLossHelp, not_empty())
          .field(&O::rho, "rho", "How far away the gradient is taken.", above(0))
          .field(&O::clip_norm, "clip_norm", kClipNormHelp, at_least(0));
  return fields;
}

Choice<NetworkOp> sam(SamOptions options) { return choose<NetworkOp>("sam", options); }

void register_sam(Registry<NetworkOp>& ops) {
  ops.add<SamOp>("sam", "An update along the gradient of the worst place nearby (SAM).");
}

}  // namespace hearth::network_ops
