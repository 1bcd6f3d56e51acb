// The norm of gradients, as a number of the batch.
#include "hearth/network/ops/watch_gradients.h"

#include <ATen/ops/zeros.h>
#include <c10/core/GradMode.h>

#include "hearth/config/registry.h"
#include "hearth/network/gradient_op.h"
#include "hearth/optim/gradient_norm.h"

namespace hearth::network_ops {
namespace {

class WatchGradientsOp : public NetworkOp {
 public:
  using Options = WatchGradientsOptions;
  explicit WatchGradientsOp(WatchGradientsOptions options) : options_(std::move(options)) {}

  [[nodiscard]] std::vector<std::string> reads() const override { return {options_.in}; }
  [[nodiscard]] std::vector<std::string> writes() const override { return {options_.out}; }
  [[nodiscard]] bool takes_gradients() const override { return true; }
  [[nodiscard]] bool looks_at_parameters() const override { return false; }
  [[nodiscard]] Modes modes() const override { return Mode::kTrain; }
  [[nodiscard]] Sharing sharing() const override { return Sharing::kOnce; }

  void bind(ModelSet& models) override {
    device_ = models.device;
    mover_ = Mover(models.gradients.find(options_.in).models, "", "watch_gradients");
  }

  [[nodiscard]] std::vector<Spec> infer(const std::vector<Spec>& inputs) override {
    check_gradients({options_.in, inputs[0]});
    Spec norm;
    norm.is_per_batch = true;
    return {norm};
  }

  void run(StepContext&, std::span<const at::Tensor>, std::span<at::Tensor> outputs) override {
    const c10::AutoGradMode no_grad(false);
    const at::Tensor norm = gradient_norm(mover_.gradients());
    outputs[0] = norm.defined() ? norm : at::zeros({}, at::TensorOptions().device(device_));
  }

 private:
  WatchGradientsOptions options_;
  Mover mover_;
  at::Device device_ = at::kCPU;
};

}  // namespace

const Schema<WatchGradientsOptions>& WatchGradientsOptions::schema() {
  using O = WatchGradientsOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::in, "in", "Key of the gradients, which a backward writes.", not_empty())
          .field(&O::out, "out", "Key of their norm, one number for the batch.", not_empty());
  return fields;
}

Choice<NetworkOp> watch_gradients(WatchGradientsOptions options) {
  return choose<NetworkOp>("watch_gradients", options);
}

void register_watch_gradients(Registry<NetworkOp>& ops) {
  ops.add<WatchGradientsOp>("watch_gradients",
                            "The norm of all gradients together, for metrics and the log.");
}

}  // namespace hearth::network_ops
