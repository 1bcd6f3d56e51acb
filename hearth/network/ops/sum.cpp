// The sum of several values, each with its weight: one loss of many.
#include "hearth/network/ops/sum.h"

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/network/network_op.h"
#include "hearth/tensor/class_scores.h"

namespace hearth::network_ops {
namespace {

class SumOp : public NetworkOp {
 public:
  using Options = SumOptions;
  explicit SumOp(SumOptions options) : options_(std::move(options)) {}

  [[nodiscard]] std::vector<std::string> reads() const override { return options_.in; }
  [[nodiscard]] std::vector<std::string> writes() const override { return {options_.out}; }
  [[nodiscard]] bool looks_at_parameters() const override { return false; }

  [[nodiscard]] std::vector<Spec> infer(const std::vector<Spec>& inputs) override {
    for (size_t i = 0; i < inputs.size(); ++i) {
      const Spec& first = inputs[0];
      const Spec& input = inputs[i];
      if (!is_floating(input.dtype))
        throw GraphError("needs floats to add, but '" + options_.in[i] + "' is " + input.text() +
                         ". Name losses or scores.");
      if (input.shape != first.shape || input.is_per_batch != first.is_per_batch)
        throw GraphError("needs values of one shape, but '" + options_.in[0] + "' is " +
                         first.text() + " and '" + options_.in[i] + "' is " + input.text() + ".");
    }
    Spec output = inputs[0];
    output.classes = 0;
    output.class_names.clear();
    return {output};
  }

  void run(StepContext&, std::span<const at::Tensor> inputs,
           std::span<at::Tensor> outputs) override {
    at::Tensor sum = weighted(inputs[0], 0);
    for (size_t i = 1; i < inputs.size(); ++i) sum = sum.add(inputs[i], weight(i));
    outputs[0] = sum;
  }

 private:
  [[nodiscard]] double weight(size_t index) const {
    return options_.weights.empty() ? 1 : options_.weights[index];
  }
  [[nodiscard]] at::Tensor weighted(const at::Tensor& value, size_t index) const {
    return weight(index) == 1 ? value : value.mul(weight(index));
  }

  SumOptions options_;
};

}  // namespace

const Schema<SumOptions>& SumOptions::schema() {
  using O = SumOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::in, "in", "Keys of what is added.", not_empty())
          .field(&O::out, "out", "Key of the sum.", not_empty())
          .field(&O::weights, "weights", "A factor for each of them; 1 when left out.")
          .check("weights must be as many as the keys in `in`.", [](const O& options) {
            return options.weights.empty() || options.weights.size() == options.in.size();
          });
  return fields;
}

Choice<NetworkOp> sum(SumOptions options) { return choose<NetworkOp>("sum", options); }

void register_sum(Registry<NetworkOp>& ops) {
  ops.add<SumOp>("sum", "The sum of several values, each with its weight: one loss of many.");
}

}  // namespace hearth::network_ops
