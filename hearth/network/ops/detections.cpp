// The boxes that a detector finds: points with good scores say boxes, and of those that overlap the
// best stays. As torchvision's FCOS, but that candidates are counted over all maps together.
#include "hearth/network/ops/detections.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/div.h>
#include <ATen/ops/remainder.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/stack.h>

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/network/boxes/box_points.h"
#include "hearth/network/boxes/box_suppression.h"
#include "hearth/network/losses/loss_checks.h"
#include "hearth/network/model.h"
#include "hearth/network/network_op.h"

namespace hearth::network_ops {
namespace {

// Values of [B, N, ...] at places [B, K].
at::Tensor rows_at(const at::Tensor& values, const at::Tensor& places) {
  if (values.dim() == 2) return values.gather(1, places);
  return values.gather(1, places.unsqueeze(-1).expand({-1, -1, values.size(2)}));
}

class DetectionsOp : public NetworkOp {
 public:
  using Options = DetectionsOptions;
  explicit DetectionsOp(Options options) : options_(std::move(options)) {}

  [[nodiscard]] std::vector<std::string> reads() const override {
    std::vector<std::string> keys = options_.in;
    keys.push_back(options_.image);
    return keys;
  }
  [[nodiscard]] std::vector<std::string> writes() const override {
    if (options_.mask.empty()) return {options_.out};
    return {options_.out, options_.mask};
  }
  [[nodiscard]] bool looks_at_parameters() const override { return false; }
  void bind(ModelSet& models) override { kernels_ = models.kernels; }

  [[nodiscard]] std::vector<Spec> infer(const std::vector<Spec>& inputs) override {
    constexpr int64_t kNumbers[] = {0, 4, 1, 3};  // 0: a score for each class
    for (size_t i = 0; i < 4; ++i) {
      const KeySpec key{options_.in[i], inputs[i]};
      check_floats(key);
      if (key.spec.shape.size() != 2 || key.spec.shape[0] != inputs[0].shape[0] ||
          (kNumbers[i] > 0 && key.spec.shape[1] != kNumbers[i]))
        throw GraphError("does not know what to do with " + quote(key.key) + ", which is " +
                         key.spec.text() +
                         ". Name the four values that a model fcos gives, in its order.");
    }
    if (inputs[4].shape.size() != 3)
      throw GraphError("needs the image, whose size boxes keep to, in " + quote(options_.image) +
                       ", but it is " + inputs[4].text() + ". Name what the model was given.");
    Spec found;
    found.shape = {std::min(options_.most, candidates(inputs[0].shape[0] * inputs[0].shape[1])), 6};
    found.role = Role::kBoxes;
    found.classes = inputs[0].shape[1];
    Spec is_there;
    is_there.dtype = DType::kBool;
    is_there.shape = {found.shape[0]};
    if (options_.mask.empty()) return {found};
    return {found, is_there};
  }

  void run(StepContext&, std::span<const at::Tensor> inputs,
           std::span<at::Tensor> outputs) override {
    const int64_t classes = inputs[0].size(2);
    const at::Tensor all = at::sigmoid(inputs[0]).mul(at::sigmoid(inputs[2])).sqrt().flatten(1);
    // What is not a number stays, so that whoever reads it learns of it.
    const at::Tensor good = all.masked_fill(all.le(options_.score), 0);
    const auto [scores, places] = good.topk(candidates(all.size(1)), 1);
    const at::Tensor points = at::div(places, classes, "floor");
    const at::Tensor numbers = at::remainder(places, classes);
    const at::Tensor boxes = clipped(
        boxes_of(rows_at(inputs[3], points), rows_at(inputs[1], points)), inputs[4].sizes());
    const at::Tensor kept =
        kept_boxes(kernels_, boxes, numbers, scores.eq(0).logical_not(), options_.overlap);
    const auto [best, rows] =
        scores.masked_fill(kept.logical_not(), 0).topk(std::min(options_.most, scores.size(1)), 1);
    const at::Tensor none = best.eq(0);
    outputs[0] = at::cat({rows_at(boxes, rows), best.unsqueeze(-1),
                          rows_at(numbers, rows).to(best.scalar_type()).unsqueeze(-1)},
                         -1)
                     .masked_fill(none.unsqueeze(-1), 0);
    if (outputs.size() > 1) outputs[1] = none.logical_not();
  }

 private:
  [[nodiscard]] int64_t candidates(int64_t all) const { return std::min(options_.candidates, all); }

  static at::Tensor clipped(const at::Tensor& boxes, at::IntArrayRef image) {
    const auto height = static_cast<double>(image[2]);
    const auto width = static_cast<double>(image[3]);
    const auto side = [&](int64_t number) {
      return boxes.select(-1, number).clamp(0, number % 2 == 0 ? width : height);
    };
    return at::stack({side(0), side(1), side(2), side(3)}, -1);
  }

  Options options_;
  Kernels kernels_ = Kernels::kFast;
};

}  // namespace

const Schema<DetectionsOptions>& DetectionsOptions::schema() {
  using O = DetectionsOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::in, "in",
                 "Keys of what a model fcos gives: scores, distances, centerness and points.")
          .field(&O::image, "image", "Key of the image; boxes do not reach out of it.", not_empty())
          .field(&O::out, "out",
                 "Key of the boxes, float [B, most, 6]: left, top, right, bottom in points of the "
                 "image, score, class. The best come first, rows without a box are zeros.",
                 not_empty())
          .field(&O::mask, "mask", "A further key that says which rows hold a box; left out: none.")
          .field(&O::most, "most", "How many boxes an image may have.", at_least(1))
          .field(&O::candidates, "candidates",
                 "How many of the best scores, over all points and classes, are looked at.",
                 at_least(1))
          .field(&O::score, "score", "Least score of a box.", at_least(0), below(1))
          .field(&O::overlap, "overlap",
                 "A box goes when a better one of its class shares more than this with it, of what "
                 "both cover.",
                 above(0), at_most(1))
          .check("in must name four keys: scores, distances, centerness and points.",
                 [](const O& options) { return options.in.size() == 4; });
  return fields;
}

Choice<NetworkOp> detections(DetectionsOptions options) {
  return choose<NetworkOp>("detections", options);
}

void register_detections(Registry<NetworkOp>& ops) {
  ops.add<DetectionsOp>("detections",
                        "The boxes that a detector fcos finds, with scores and classes; of boxes "
                        "that overlap the best stays.");
}

}  // namespace hearth::network_ops
