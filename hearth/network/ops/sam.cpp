// Sharpness-aware minimization: the gradient is taken where the loss is worst, `rho` away.
#include "hearth/network/ops/sam.h"

#include <c10/core/GradMode.h>

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/kernels/weight/weight_order.h"
#include "hearth/network/loss_update.h"
#include "hearth/optim/gradient_norm.h"
#include "hearth/schedule/timed.h"

namespace hearth::network_ops {
namespace {

class SamOp : public LossUpdate {
 public:
  using Options = SamOptions;
  using TimedOptions = Timed<SamOptions>;
  explicit SamOp(TimedOptions options)
      : LossUpdate({"sam", options.fixed().model, options.fixed().loss}),
        timed_(std::move(options)) {}

  [[nodiscard]] int64_t batches_per_step() const override { return 1; }
  [[nodiscard]] bool reruns() const override { return true; }

  void run(StepContext& context, std::span<const at::Tensor> inputs,
           std::span<at::Tensor>) override {
    if (context.rerun == nullptr)
      throw GraphError("sam: the loss '" + loss_key() +
                       "' is given from outside, so that nothing can run again.");
    const SamOptions& now = timed_.at(context.moment);
    mover().add_gradients(inputs[0], loss_key(), !context.is_last_update);
    const std::vector<at::Tensor> before = climb(now.rho);
    const at::Tensor loss = (*context.rerun)()[0];
    mover().add_gradients(loss, loss_key(), false);
    return_to(before);
    take_step(context, now.clip_norm);
  }

 private:
  // Moves every parameter along its gradient, `rho` in all; gives what they were, and drops the
  // gradients.
  [[nodiscard]] std::vector<at::Tensor> climb(double rho) {
    const c10::AutoGradMode no_grad(false);
    std::vector<at::Tensor> before;
    const at::Tensor norm = gradient_norm(mover().gradients());
    const at::Tensor scale = norm.defined() ? norm.add(1e-12).reciprocal_().mul_(rho) : norm;
    for (const auto& [name, parameter] : mover().handles()) {
      const at::Tensor gradient = parameter.grad();
      before.push_back(gradient.defined() ? parameter.detach().clone() : at::Tensor());
      if (gradient.defined()) parameter.add_(laid_out_like(gradient, parameter).mul(scale));
    }
    mover().drop_gradients();
    return before;
  }

  void return_to(const std::vector<at::Tensor>& before) const {
    const c10::AutoGradMode no_grad(false);
    const std::vector<NamedTensor> handles = mover().handles();
    for (size_t i = 0; i < handles.size(); ++i)
      if (before[i].defined()) handles[i].second.copy_(before[i]);
  }

  TimedOptions timed_;
};

}  // namespace

const Schema<SamOptions>& SamOptions::schema() {
  using O = SamOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::model, "model", "Name of the model.", not_empty())
          .field(&O::loss, "loss",
                 "Key of the loss. All that leads to it runs twice, with the same random numbers; "
                 "statistics of batch norms count the first time only.",
                 not_empty())
          .field(&O::rho, "rho", "How far away the gradient is taken.", above(0))
          .field(&O::clip_norm, "clip_norm", kClipNormHelp, at_least(0));
  return fields;
}

Choice<NetworkOp> sam(SamOptions options) { return choose<NetworkOp>("sam", options); }

void register_sam(Registry<NetworkOp>& ops) {
  ops.add<SamOp>("sam", "An update along the gradient of the worst place nearby (SAM).");
}

}  // namespace hearth::network_ops
