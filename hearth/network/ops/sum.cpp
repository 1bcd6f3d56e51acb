// The sum of several values, each with its weight: one loss of many.
#include "hearth/network/ops/sum.h"

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/network/network_op.h"
#include "hearth/schedule/timed.h"
#include "hearth/tensor/class_scores.h"

namespace hearth::network_ops {
namespace {

class SumOp : public NetworkOp {
 public:
  using Options = SumOptions;
  using TimedOptions = Timed<SumOptions>;
  explicit SumOp(TimedOptions options) : timed_(std::move(options)), options_(timed_.fixed()) {
    if (options_.parts.empty()) keys_ = options_.in;
    for (const auto& [key, weight] : options_.parts) {
      keys_.push_back(key);
      part_weights_.emplace_back(weight);
    }
  }

  [[nodiscard]] std::vector<std::string> reads() const override { return keys_; }
  [[nodiscard]] std::vector<std::string> writes() const override { return {options_.out}; }
  [[nodiscard]] bool looks_at_parameters() const override { return false; }

  [[nodiscard]] std::vector<Spec> infer(const std::vector<Spec>& inputs) override {
    for (size_t i = 0; i < inputs.size(); ++i) {
      const Spec& first = inputs[0];
      const Spec& input = inputs[i];
      if (!is_floating(input.dtype))
        throw GraphError("needs floats to add, but '" + keys_[i] + "' is " + input.text() +
                         ". Name losses or scores.");
      if (input.shape != first.shape || input.is_per_batch != first.is_per_batch)
        throw GraphError("needs values of one shape, but '" + keys_[0] + "' is " + first.text() +
                         " and '" + keys_[i] + "' is " + input.text() + ".");
    }
    Spec output = inputs[0];
    output.classes = 0;
    output.class_names.clear();
    return {output};
  }

  void run(StepContext& context, std::span<const at::Tensor> inputs,
           std::span<at::Tensor> outputs) override {
    const std::vector<double>& weights = timed_.at(context.moment).weights;
    const auto weight = [&](size_t index) {
      if (!part_weights_.empty()) return part_weights_[index].at(context.moment);
      return weights.empty() ? 1 : weights[index];
    };
    at::Tensor sum = weight(0) == 1 ? inputs[0] : inputs[0].mul(weight(0));
    for (size_t i = 1; i < inputs.size(); ++i) sum = sum.add(inputs[i], weight(i));
    outputs[0] = sum;
  }

 private:
  TimedOptions timed_;
  const SumOptions options_;  // what does not move with time
  std::vector<std::string> keys_;
  std::vector<ScheduledValue> part_weights_;
};

}  // namespace

const Schema<SumOptions>& SumOptions::schema() {
  using O = SumOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::in, "in", "Keys of what is added.", not_empty())
          .field(&O::out, "out", "Key of the sum.", not_empty())
          .field(&O::weights, "weights", "A factor for each of them; 1 when left out.")
          .field(&O::parts, "parts",
                 "In the place of `in` and `weights`: keys, each with its factor. Where the sum is "
                 "measured by a `loss` metric, its parts are too.")
          .check("weights must be as many as the keys in `in`.",
                 [](const O& options) {
                   return options.weights.empty() || options.weights.size() == options.in.size();
                 })
          .check("parts stand in the place of `in` and `weights`; use one of both.",
                 [](const O& options) {
                   return options.parts.empty() ||
                          (options.weights.empty() && options.in == SumOptions().in);
                 });
  return fields;
}

Choice<NetworkOp> sum(SumOptions options) { return choose<NetworkOp>("sum", options); }

void register_sum(Registry<NetworkOp>& ops) {
  ops.add<SumOp>("sum", "The sum of several values, each with its weight: one loss of many.");
}

}  // namespace hearth::network_ops
