// A price on the size of weights, or on how far they are from right angles, added to a loss.
#include "hearth/network/ops/weight_penalty.h"

#include <ATen/ops/eye.h>
#include <ATen/ops/matmul.h>

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/base/pattern.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/kernels/weight/weight_order.h"
#include "hearth/network/model.h"
#include "hearth/network/network_op.h"
#include "hearth/nn/layer_prices.h"
#include "hearth/schedule/timed.h"
#include "hearth/tensor/batch_loss.h"

namespace hearth::network_ops {
namespace {

// How far the rows, or the columns where they are fewer, are from right angles and length 1.
at::Tensor crookedness(const at::Tensor& weight) {
  const int64_t rows = weight.dim() == 6 ? ordinary_sizes(weight)[0] : weight.size(0);
  const at::Tensor matrix = weight.reshape({rows, -1});
  const at::Tensor flat = rows <= matrix.size(1) ? matrix : matrix.t();
  const at::Tensor angles = at::matmul(flat, flat.t());
  return angles.sub(at::eye(angles.size(0), angles.options())).square().sum();
}

class WeightPenaltyOp : public NetworkOp {
 public:
  using Options = WeightPenaltyOptions;
  using TimedOptions = Timed<WeightPenaltyOptions>;
  explicit WeightPenaltyOp(TimedOptions options)
      : timed_(std::move(options)), options_(timed_.fixed()) {}

  [[nodiscard]] std::vector<std::string> reads() const override { return {options_.in}; }
  [[nodiscard]] std::vector<std::string> writes() const override { return options_.out; }
  [[nodiscard]] bool looks_at_parameters() const override { return false; }
  [[nodiscard]] Modes modes() const override { return Mode::kTrain; }
  [[nodiscard]] std::vector<std::string> model_names() const override { return {options_.model}; }
  void bind(ModelSet& models) override { model_ = &models.find(options_.model); }

  [[nodiscard]] std::vector<Spec> infer(const std::vector<Spec>& inputs) override {
    check_batch_loss({options_.in, inputs[0]});
    if (!model_->is_built())
      throw GraphError("the model " + quote(options_.model) +
                       " is never called. Put call before it.");
    find_prices();
    return {inputs[0], inputs[0]};
  }

  void run(StepContext& context, std::span<const at::Tensor> inputs,
           std::span<at::Tensor> outputs) override {
    const WeightPrices now = prices_of(timed_.at(context.moment));
    at::Tensor penalty = inputs[0].detach().new_zeros({});
    for (const auto& [name, parameter] : model_->layer().handles()) {
      if (is_matched(name, parameter)) penalty = penalty.add(price_of(now, parameter));
      if (const auto own = of_layers_.find(name); own != of_layers_.end())
        penalty = penalty.add(price_of(own->second, parameter));
    }
    outputs[0] = penalty;
    outputs[1] = inputs[0].add(penalty);
  }

 private:
  [[nodiscard]] static WeightPrices prices_of(const WeightPenaltyOptions& options) {
    return {options.l1, options.l2, options.orthogonal, options.vectors};
  }
  void find_prices() {
    if (options_.of_layers) {
      of_layers_ = layer_prices(model_->layer());
      return;
    }
    for (const std::string& pattern : options_.match)
      require_priced(model_->layer(), "match", pattern, prices_of(options_));
  }
  [[nodiscard]] bool is_matched(const std::string& name, const at::Tensor& parameter) const {
    return !options_.of_layers && is_priced(prices_of(options_), parameter) &&
           std::any_of(options_.match.begin(), options_.match.end(),
                       [&](const std::string& pattern) { return matches_within(pattern, name); });
  }
  [[nodiscard]] static at::Tensor price_of(const WeightPrices& now, const at::Tensor& parameter) {
    at::Tensor price;
    const auto add = [&](double factor, const at::Tensor& part) {
      price = price.defined() ? price.add(part, factor) : part.mul(factor);
    };
    if (now.l2 > 0) add(now.l2, parameter.square().sum());
    if (now.l1 > 0) add(now.l1, parameter.abs().sum());
    if (now.orthogonal > 0 && parameter.dim() > 1) add(now.orthogonal, crookedness(parameter));
    return price.defined() ? price : parameter.detach().new_zeros({});
  }

  TimedOptions timed_;
  const WeightPenaltyOptions options_;  // what does not move with time
  Model* model_ = nullptr;
  std::map<std::string, WeightPrices> of_layers_;  // by parameter
};

}  // namespace

const Schema<WeightPenaltyOptions>& WeightPenaltyOptions::schema() {
  using O = WeightPenaltyOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::model, "model", "Name of the model.", not_empty())
          .field(&O::match, "match",
                 "Paths of layers or parameters below the model, or patterns such as features.*.",
                 not_empty())
          .field(&O::l1, "l1", "Price of the sum of sizes.", at_least(0))
          .field(&O::l2, "l2", "Price of the sum of squares.", at_least(0))
          .field(&O::orthogonal, "orthogonal",
                 "Price of how far rows of a weight are from right angles and length 1.",
                 at_least(0))
          .field(&O::vectors, "vectors", "Also biases and other parameters of one dimension.")
          .field(
              &O::of_layers, "of_layers",
              "What layers of the model say themselves, in their option `regularize`, instead of "
              "`match` and the prices here.")
          .field(&O::in, "in", "Key of the loss.", not_empty())
          .field(&O::out, "out", "Keys of the penalty and of the loss with it.", not_empty())
          .check("out must name two keys: of the penalty and of the loss with it.",
                 [](const O& options) { return options.out.size() == 2; });
  return fields;
}

Choice<NetworkOp> weight_penalty(WeightPenaltyOptions options) {
  return choose<NetworkOp>("weight_penalty", options);
}

void register_weight_penalty(Registry<NetworkOp>& ops) {
  ops.add<WeightPenaltyOp>("weight_penalty",
                           "A price on the size of weights, or on their angles, added to a loss.");
}

}  // namespace hearth::network_ops
