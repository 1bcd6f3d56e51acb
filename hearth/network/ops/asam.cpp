// Adaptive sharpness-aware minimization (Kwon and others, 2021): larger weights go further, so that
// it does not matter how a network's size is spread over its layers.
#include "hearth/network/ops/asam.h"

#include "hearth/config/registry.h"
#include "hearth/network/climbing_update.h"
#include "hearth/optim/gradient_norm.h"
#include "hearth/schedule/timed.h"

namespace hearth::network_ops {
namespace {

class AsamOp : public ClimbingUpdate {
 public:
  using Options = AsamOptions;
  using TimedOptions = Timed<AsamOptions>;
  explicit AsamOp(TimedOptions options)
      : ClimbingUpdate({"asam", options.fixed().model, options.fixed().loss}),
        timed_(std::move(options)) {}

 private:
  // rho * T^2 g / |T g|, where T is the size of each weight; vectors, such as biases, have T = 1.
  [[nodiscard]] std::vector<at::Tensor> climbs(const std::vector<at::Tensor>& parameters,
                                               const std::vector<at::Tensor>& gradients,
                                               const Moment& moment) const override {
    const AsamOptions& now = timed_.at(moment);
    std::vector<at::Tensor> scaled;
    for (size_t i = 0; i < gradients.size(); ++i)
      scaled.push_back(parameters[i].dim() > 1 ? gradients[i].mul(parameters[i].abs().add_(now.eta))
                                               : gradients[i]);
    const at::Tensor norm = gradient_norm(scaled);
    if (!norm.defined()) return {};
    const at::Tensor scale = norm.add(1e-12).reciprocal_().mul_(now.rho);
    for (size_t i = 0; i < scaled.size(); ++i) {
      if (parameters[i].dim() > 1) scaled[i].mul_(parameters[i].abs().add_(now.eta));
      scaled[i] = scaled[i].mul(scale);
    }
    return scaled;
  }
  [[nodiscard]] double clip_norm(const Moment& moment) const override {
    return timed_.at(moment).clip_norm;
  }

  TimedOptions timed_;
};

}  // namespace

const Schema<AsamOptions>& AsamOptions::schema() {
  using O = AsamOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::model, "model", "Name of the model.", not_empty())
          .field(&O::loss, "loss", kClimbedLossHelp, not_empty())
          .field(&O::rho, "rho", "How far away the gradient is taken, in sizes of weights.",
                 above(0))
          .field(&O::eta, "eta", "Added to the size of each weight.", at_least(0))
          .field(&O::clip_norm, "clip_norm", kClipNormHelp, at_least(0));
  return fields;
}

Choice<NetworkOp> asam(AsamOptions options) { return choose<NetworkOp>("asam", options); }

void register_asam(Registry<NetworkOp>& ops) {
  ops.add<AsamOp>("asam",
                  "An update along the gradient of the worst place nearby, by the size of each "
                  "weight (ASAM).");
}

}  // namespace hearth::network_ops
