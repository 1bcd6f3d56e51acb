// Samples of a kind nearer to each other than to others, by a margin: PyTorch's
// TripletMarginLoss.
#include "hearth/network/ops/triplet_loss.h"

#include <ATen/ops/relu.h>

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/network/network_op.h"
#include "hearth/schedule/timed.h"
#include "hearth/tensor/class_scores.h"

namespace hearth::network_ops {
namespace {

// As PyTorch's: a little apart even where they are the same, so that the root has a slope.
at::Tensor distance(const at::Tensor& left, const at::Tensor& right) {
  constexpr double kApart = 1e-6;
  return left.sub(right).add(kApart).square().sum(1).sqrt();
}

class TripletLossOp : public NetworkOp {
 public:
  using Options = TripletLossOptions;
  using TimedOptions = Timed<TripletLossOptions>;
  explicit TripletLossOp(TimedOptions options)
      : timed_(std::move(options)), options_(timed_.fixed()) {}

  [[nodiscard]] std::vector<std::string> reads() const override { return options_.in; }
  [[nodiscard]] std::vector<std::string> writes() const override { return {options_.out}; }
  [[nodiscard]] bool looks_at_parameters() const override { return false; }

  [[nodiscard]] std::vector<Spec> infer(const std::vector<Spec>& inputs) override {
    for (size_t i = 0; i < inputs.size(); ++i) {
      const Spec& input = inputs[i];
      if (!is_floating(input.dtype) || input.is_per_batch || input.shape.size() != 1)
        throw GraphError("needs a point for each sample, float [B, F], in '" + options_.in[i] +
                         "', but it is " + input.text() + ". Name keys that a model call writes.");
      if (input.shape != inputs[0].shape)
        throw GraphError("needs points of one size, but '" + options_.in[0] + "' is " +
                         inputs[0].text() + " and '" + options_.in[i] + "' is " + input.text() +
                         ". Let one model make all three.");
    }
    Spec loss;
    loss.dtype = inputs[0].dtype;
    loss.is_per_batch = true;
    return {loss};
  }

  void run(StepContext& context, std::span<const at::Tensor> inputs,
           std::span<at::Tensor> outputs) override {
    const at::Tensor near = distance(inputs[0], inputs[1]);
    const at::Tensor far = distance(inputs[0], inputs[2]);
    outputs[0] = at::relu(near.sub(far).add(timed_.at(context.moment).margin)).mean();
  }

 private:
  TimedOptions timed_;
  const TripletLossOptions options_;  // what does not move with time
};

}  // namespace

const Schema<TripletLossOptions>& TripletLossOptions::schema() {
  using O = TripletLossOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::in, "in",
                 "Keys of the points: a sample's, one of its kind, one of another kind.")
          .field(&O::out, "out", "Key of the loss.", not_empty())
          .field(&O::margin, "margin",
                 "How much farther the other kind must be before nothing is left to learn.",
                 above(0))
          .check("in must name three keys.",
                 [](const O& options) { return options.in.size() == 3; });
  return fields;
}

Choice<NetworkOp> triplet_loss(TripletLossOptions options) {
  return choose<NetworkOp>("triplet_loss", options);
}

void register_triplet_loss(Registry<NetworkOp>& ops) {
  ops.add<TripletLossOp>(
      "triplet_loss", "Points of a kind nearer to each other than to another kind, by a margin.");
}

}  // namespace hearth::network_ops
