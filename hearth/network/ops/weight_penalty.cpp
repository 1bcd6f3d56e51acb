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
    for (const std::string& pattern : options_.match) check_pattern(pattern);
    return {inputs[0], inputs[0]};
  }

  void run(StepContext& context, std::span<const at::Tensor> inputs,
           std::span<at::Tensor> outputs) override {
    const WeightPenaltyOptions& now = timed_.at(context.moment);
    at::Tensor penalty = inputs[0].detach().new_zeros({});
    for (const auto& [name, parameter] : model_->layer().handles())
      if (is_priced(name, parameter)) penalty = penalty.add(price_of(now, parameter));
    outputs[0] = penalty;
    outputs[1] = inputs[0].add(penalty);
  }

 private:
  [[nodiscard]] bool is_priced(const std::string& name, const at::Tensor& parameter) const {
    return (options_.vectors || parameter.dim() > 1) && parameter.numel() > 0 &&
           std::any_of(options_.match.begin(), options_.match.end(),
                       [&](const std::string& pattern) { return matches_within(pattern, name); });
  }
  [[nodiscard]] static at::Tensor price_of(const WeightPenaltyOptions& now,
                                           const at::Tensor& parameter) {
    at::Tensor price;
    const auto add = [&](double factor, const at::Tensor& part) {
      price = price.defined() ? price.add(part, factor) : part.mul(factor);
    };
    if (now.l2 > 0) add(now.l2, parameter.square().sum());
    if (now.l1 > 0) add(now.l1, parameter.abs().sum());
    if (now.orthogonal > 0 && parameter.dim() > 1) add(now.orthogonal, crookedness(parameter));
    return price.defined() ? price : parameter.detach().new_zeros({});
  }
  void check_pattern(const std::string& pattern) const {
    std::vector<std::string> names;
    bool has_vector = false;
    for (const auto& [name, parameter] : model_->layer().handles()) {
      names.push_back(name);
      if (!matches_within(pattern, name)) continue;
      if (options_.vectors || parameter.dim() > 1) return;
      has_vector = true;
    }
    if (has_vector)
      throw GraphError("match: " + quote(pattern) + " names vectors of " + quote(options_.model) +
                       " alone, which have no price. Set vectors: true, or name weights.");
    throw GraphError("match: no parameter of " + quote(options_.model) + " is called " +
                     quote(pattern) + "." + did_you_mean(pattern, names));
  }

  TimedOptions timed_;
  const WeightPenaltyOptions options_;  // what does not move with time
  Model* model_ = nullptr;
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
