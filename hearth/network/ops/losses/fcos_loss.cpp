// Tian et al., FCOS: points learn the box they are assigned, its class, and how near its middle
// they are. All three are sums over points by the number of points with a box, as torchvision's,
// unless `reduction` says otherwise.
#include "hearth/network/ops/losses/fcos_loss.h"

#include <ATen/ops/maximum.h>
#include <ATen/ops/minimum.h>
#include <ATen/ops/softplus.h>
#include <ATen/ops/zeros_like.h>

#include <array>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/network/boxes/box_points.h"
#include "hearth/network/losses/box_overlap.h"
#include "hearth/network/losses/focal.h"
#include "hearth/network/losses/loss_checks.h"
#include "hearth/network/network_op.h"
#include "hearth/schedule/timed.h"
#include "hearth/tensor/sample_weights.h"

namespace hearth::network_ops {
namespace {

// A number for each point of a key's rows: float [B, P, numbers].
void check_rows(const KeySpec& key, int64_t points, int64_t numbers, const std::string& what) {
  check_floats(key);
  const std::vector<int64_t>& shape = key.spec.shape;
  if (shape.size() == 2 && (points == 0 || shape[0] == points) &&
      (numbers == 0 || shape[1] == numbers))
    return;
  throw GraphError("needs " + what + " in " + quote(key.key) + ", but it is " + key.spec.text() +
                   ". Name the four values that a model fcos gives, in its order.");
}

class FcosLossOp : public NetworkOp {
 public:
  using Options = FcosLossOptions;
  using TimedOptions = Timed<FcosLossOptions>;
  explicit FcosLossOp(TimedOptions options)
      : timed_(std::move(options)), options_(timed_.fixed()) {}

  [[nodiscard]] std::vector<std::string> reads() const override {
    std::vector<std::string> keys = options_.in;
    keys.push_back(options_.boxes);
    keys.push_back(options_.labels);
    if (!options_.mask.empty()) keys.push_back(options_.mask);
    if (!options_.weight.empty()) keys.push_back(options_.weight);
    return keys;
  }
  [[nodiscard]] std::vector<std::string> writes() const override { return options_.out; }
  [[nodiscard]] bool looks_at_parameters() const override { return false; }

  [[nodiscard]] std::vector<Spec> infer(const std::vector<Spec>& inputs) override {
    const auto key = [&](size_t index) { return KeySpec{options_.in[index], inputs[index]}; };
    check_rows(key(0), 0, 0, "scores of classes for each point, float [B, P, classes],");
    const int64_t points = inputs[0].shape[0];
    check_rows(key(1), points, 4, "four distances for each point, float [B, P, 4],");
    check_rows(key(2), points, 1, "a score for each point, float [B, P, 1],");
    check_rows(key(3), points, 3, "x, y and size of each point, float [B, P, 3],");
    check_truth({options_.boxes, inputs[4]}, {options_.labels, inputs[5]}, inputs[0].shape[1]);
    size_t next = 6;
    hides_samples_ = !options_.mask.empty() && inputs[next].shape != inputs[5].shape &&
                     without_ones(inputs[next].shape).empty();
    if (!options_.mask.empty()) check_mask({options_.mask, inputs[next++]}, inputs[5].shape, "box");
    if (!options_.weight.empty())
      check_weight({options_.weight, inputs[next]}, "weight", {}, "loss");
    Spec loss;
    loss.is_per_batch = options_.reduction != "none";
    return {loss, loss, loss};
  }

  void run(StepContext& context, std::span<const at::Tensor> inputs,
           std::span<at::Tensor> outputs) override {
    const Options& options = timed_.at(context.moment);
    size_t next = 6;
    const at::Tensor mask = options_.mask.empty() ? at::Tensor() : inputs[next++].to(at::kBool);
    const at::Tensor weight = options_.weight.empty() ? at::Tensor() : inputs[next];
    const at::Tensor points = inputs[3].detach();
    const BoxAssignment truth =
        assigned_boxes(points, inputs[4].detach().to(points.scalar_type()), inputs[5],
                       hides_samples_ ? mask.reshape({-1, 1}) : mask, options.radius);
    // Of each sample: [B].
    std::array<at::Tensor, 3> losses = {
        class_losses(options, inputs[0], truth),
        of_found(box_loss("giou", boxes_of(points, inputs[1]), truth.boxes), truth),
        of_found(center_losses(inputs[2].squeeze(-1), points, truth), truth)};
    at::Tensor counts = truth.found.sum(1).to(inputs[0].scalar_type());
    if (hides_samples_) losses[0] = losses[0].masked_fill(mask.reshape({-1}).logical_not(), 0);
    if (weight.defined()) {
      const at::Tensor factor = spread_over(weight, counts).to(counts.scalar_type());
      for (at::Tensor& loss : losses) loss = loss.mul(factor);
      if (options.reduction != "none") counts = counts.mul(factor);
    }
    give(context, losses, counts, outputs);
  }

 private:
  static void check_truth(const KeySpec& boxes, const KeySpec& labels, int64_t classes) {
    check_floats(boxes);
    if (boxes.spec.shape.size() != 2 || boxes.spec.shape[1] != 4)
      throw GraphError("needs a list of boxes for each sample, float [B, N, 4], in " +
                       quote(boxes.key) + ", but it is " + boxes.spec.text() +
                       ". Fill boxes up to the longest of their batch with pad_longest.");
    if (labels.spec.dtype != DType::kInt64 || labels.spec.shape.size() != 1 ||
        labels.spec.shape[0] != boxes.spec.shape[0])
      throw GraphError("needs a class for each box, int64 [B, N], in " + quote(labels.key) +
                       ", but it is " + labels.spec.text() +
                       ". Fill it up as the boxes, with pad_longest.");
    if (labels.spec.classes > classes)
      throw GraphError(quote(labels.key) + " has " + std::to_string(labels.spec.classes) +
                       " classes, but the points have scores of " + std::to_string(classes) +
                       ". Let the model take its classes from " + quote(labels.key) + ".");
  }

  // By how many points have a box: those of the batch, or of each sample.
  void give(StepContext& context, std::span<const at::Tensor> losses, const at::Tensor& counts,
            std::span<at::Tensor> outputs) const {
    const bool is_sum = options_.reduction == "sum";
    const at::Tensor total = counts.sum();
    for (size_t i = 0; i < losses.size(); ++i) {
      if (options_.reduction == "none")
        outputs[i] = losses[i].div(counts.clamp_min(1));
      else
        outputs[i] = is_sum ? losses[i].sum() : losses[i].sum().div(loss_divisor(total));
      // Replicas take the mean of their parts, each by its share of the samples.
      if (is_sum && context.crew != nullptr) outputs[i] = outputs[i].div(context.share);
    }
    if (context.loss_counts == nullptr) return;
    context.output_count = {total};
    context.output_count.is_sum = is_sum;
  }

  // What points with a box lose, summed for each sample.
  static at::Tensor of_found(const at::Tensor& losses, const BoxAssignment& truth) {
    return losses.masked_fill(truth.found.logical_not(), 0).sum(1);
  }

  // Of each sample: [B].
  static at::Tensor class_losses(const Options& options, const at::Tensor& scores,
                                 const BoxAssignment& truth) {
    const at::Tensor yes = at::zeros_like(scores.detach())
                               .scatter(-1, truth.labels.unsqueeze(-1),
                                        truth.found.to(scores.scalar_type()).unsqueeze(-1));
    return focal_losses(scores, yes, options.gamma, options.alpha).sum({1, 2});
  }

  // A point in the middle of its box is 1, one at a side 0.
  static at::Tensor center_losses(const at::Tensor& scores, const at::Tensor& points,
                                  const BoxAssignment& truth) {
    const at::Tensor sides = distances_of(points, truth.boxes);
    const auto ratio = [&](int64_t start, int64_t end) {
      const at::Tensor one = sides.select(-1, start);
      const at::Tensor other = sides.select(-1, end);
      return at::minimum(one, other).div(at::maximum(one, other));
    };
    const at::Tensor nearness =
        ratio(0, 2).mul(ratio(1, 3)).masked_fill(truth.found.logical_not(), 0).sqrt();
    return at::softplus(scores).sub(scores.mul(nearness));
  }

  TimedOptions timed_;
  const FcosLossOptions options_;  // what does not move with time
  bool hides_samples_ = false;     // the mask is of samples, and not of boxes
};

}  // namespace

const Schema<FcosLossOptions>& FcosLossOptions::schema() {
  using O = FcosLossOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::in, "in",
                 "Keys of what a model fcos gives: scores, distances, centerness and points.")
          .field(&O::boxes, "boxes",
                 "Key of the true boxes, float [B, N, 4]: left, top, right, bottom in points of "
                 "the image.",
                 not_empty())
          .field(&O::labels, "labels", "Key of their classes, int64 [B, N].", not_empty())
          .field(&O::mask, "mask",
                 "Key that says what counts: one value for each box, such as the `mask` of "
                 "pad_longest, or for each sample. Left out: all.")
          .field(&O::weight, "weight",
                 "Key of a number for each sample, by which its losses are multiplied. Left out: "
                 "all count the same.")
          .field(&O::out, "out",
                 "Keys of the losses: of classes (focal), of boxes (generalized intersection over "
                 "union), and of how near the middle a point is. Add them with `sum`.")
          .field(&O::radius, "radius",
                 "A point learns boxes whose middle is nearer than this many of its sizes.",
                 above(0))
          .field(&O::alpha, "alpha", "Share of the answer yes in the focal loss.", above(0),
                 below(1))
          .field(&O::gamma, "gamma", "How little counts what is known already.", at_least(0))
          .field(&O::reduction, "reduction",
                 "What becomes of the losses of all points: `mean`, their sum by the number of "
                 "points with a box; their `sum`; or `none`: for each sample its own mean, which "
                 "no update takes.",
                 one_of({"mean", "sum", "none"}))
          .check("in must name four keys: scores, distances, centerness and points.",
                 [](const O& options) { return options.in.size() == 4; })
          .check("out must name three keys: the losses of classes, boxes and centers.",
                 [](const O& options) { return options.out.size() == 3; });
  return fields;
}

Choice<NetworkOp> fcos_loss(FcosLossOptions options) {
  return choose<NetworkOp>("fcos_loss", options);
}

void register_fcos_loss(Registry<NetworkOp>& ops) {
  ops.add<FcosLossOp>("fcos_loss",
                      "The losses of a detector fcos: of classes, of boxes and of centers, for "
                      "points and the true boxes they are assigned.");
}

}  // namespace hearth::network_ops
