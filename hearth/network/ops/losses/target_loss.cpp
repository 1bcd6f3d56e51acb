// The loss that fits the target: what the shorthand takes when it names none.
#include "hearth/network/ops/losses/target_loss.h"

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/network/losses/loss_op.h"
#include "hearth/network/network_op.h"
#include "hearth/network/ops/cross_entropy.h"
#include "hearth/network/ops/mse_loss.h"

namespace hearth::network_ops {
namespace {

class TargetLossOp : public NetworkOp {
 public:
  using Options = TargetLossOptions;
  explicit TargetLossOp(Options options) : options_(std::move(options)) {}

  [[nodiscard]] std::vector<std::string> reads() const override {
    std::vector<std::string> keys = options_.in;
    for (const std::string& key : {options_.weight, options_.mask})
      if (!key.empty()) keys.push_back(key);
    return keys;
  }
  [[nodiscard]] std::vector<std::string> writes() const override { return {options_.out}; }
  [[nodiscard]] bool looks_at_parameters() const override { return false; }
  void bind(ModelSet& models) override { models_ = &models; }

  // A target is the same in every plan, so that what is chosen stays.
  [[nodiscard]] std::vector<Spec> infer(const std::vector<Spec>& inputs) override {
    if (!loss_) {
      loss_ = registry<NetworkOp>().make(fitting(inputs[1]));
      loss_->bind(*models_);
    }
    return loss_->infer(inputs);
  }

  void run(StepContext& context, std::span<const at::Tensor> inputs,
           std::span<at::Tensor> outputs) override {
    loss_->run(context, inputs, outputs);
  }

 private:
  [[nodiscard]] Choice<NetworkOp> fitting(const Spec& target) const {
    if (target.role == Role::kClass || target.role == Role::kTokens || target.classes > 0 ||
        target.dtype == DType::kInt64)
      return cross_entropy({.in = options_.in,
                            .out = options_.out,
                            .weight = options_.weight,
                            .mask = options_.mask,
                            .reduction = options_.reduction});
    if (target.role == Role::kPlain || target.role == Role::kImage || target.role == Role::kPoints)
      return mse_loss({.in = options_.in,
                       .out = options_.out,
                       .weight = options_.weight,
                       .mask = options_.mask,
                       .reduction = options_.reduction});
    throw GraphError("knows no loss for a target of " + std::string(name(target.role)) + ", " +
                     quote(options_.in[1]) + ", " + target.text() +
                     ". Use one by its name, such as `loss: iou_loss` for boxes.");
  }

  Options options_;
  ModelSet* models_ = nullptr;
  std::unique_ptr<NetworkOp> loss_;
};

}  // namespace

const Schema<TargetLossOptions>& TargetLossOptions::schema() {
  using O = TargetLossOptions;
  static const auto fields =
      weighed(Schema<O>()
                  .field(&O::in, "in", "Keys of the scores and of the target.")
                  .field(&O::out, "out", "Key of the loss.", not_empty())
                  .check("in must name two keys: the scores and the target.",
                         [](const O& options) { return options.in.size() == 2; }));
  return fields;
}

Choice<NetworkOp> target_loss(TargetLossOptions options) {
  return choose<NetworkOp>("target_loss", options);
}

void register_target_loss(Registry<NetworkOp>& ops) {
  ops.add<TargetLossOp>(
      "target_loss",
      "The loss that fits the target: cross_entropy for classes, mse_loss for numbers.");
}

}  // namespace hearth::network_ops
