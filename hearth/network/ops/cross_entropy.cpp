// The loss of a classifier: the mean over the batch of -log softmax(logits)[label].
#include "hearth/network/ops/cross_entropy.h"

#include "hearth/config/registry.h"
#include "hearth/kernels/loss/cross_entropy.h"
#include "hearth/network/model.h"
#include "hearth/network/network_op.h"
#include "hearth/schedule/timed.h"
#include "hearth/tensor/class_scores.h"

namespace hearth::network_ops {
namespace {

class CrossEntropyOp : public NetworkOp {
 public:
  using Options = CrossEntropyOptions;
  using TimedOptions = Timed<CrossEntropyOptions>;
  explicit CrossEntropyOp(TimedOptions options)
      : timed_(std::move(options)), options_(timed_.fixed()) {}

  [[nodiscard]] std::vector<std::string> reads() const override { return options_.in; }
  [[nodiscard]] std::vector<std::string> writes() const override { return {options_.out}; }
  [[nodiscard]] bool looks_at_parameters() const override { return false; }

  void bind(ModelSet& models) override { kernels_ = models.kernels; }

  [[nodiscard]] std::vector<Spec> infer(const std::vector<Spec>& inputs) override {
    check_class_scores({options_.in[0], inputs[0]}, {options_.in[1], inputs[1]});
    Spec loss;
    loss.dtype = inputs[0].dtype;
    loss.is_per_batch = true;
    return {loss};
  }

  void run(StepContext& context, std::span<const at::Tensor> inputs,
           std::span<at::Tensor> outputs) override {
    outputs[0] =
        class_loss(kernels_, inputs[0], inputs[1], timed_.at(context.moment).label_smoothing);
  }

 private:
  TimedOptions timed_;
  const CrossEntropyOptions options_;  // what does not move with time
  Kernels kernels_ = Kernels::kFast;
};

}  // namespace

const Schema<CrossEntropyOptions>& CrossEntropyOptions::schema() {
  using O = CrossEntropyOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::in, "in",
                 "Keys of the scores and of the class numbers, or of soft labels: a share for each "
                 "class, by which the losses of all classes are weighed.")
          .field(&O::out, "out", "Key of the loss.", not_empty())
          .field(&O::label_smoothing, "label_smoothing",
                 "Share of certainty spread over all classes.", at_least(0), at_most(1))
          .check("in must name two keys: the scores and the class numbers.",
                 [](const O& options) { return options.in.size() == 2; });
  return fields;
}

Choice<NetworkOp> cross_entropy(CrossEntropyOptions options) {
  return choose<NetworkOp>("cross_entropy", options);
}

void register_cross_entropy(Registry<NetworkOp>& ops) {
  ops.add<CrossEntropyOp>("cross_entropy", "The loss of a classifier, from scores and labels.");
}

}  // namespace hearth::network_ops
