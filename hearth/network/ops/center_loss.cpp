// Points of a class near its center. The centers are parameters of the op's own: a model that it
// brings along, with an optimizer, and an update in the network that names it.
#include "hearth/network/ops/center_loss.h"

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/network/model.h"
#include "hearth/network/network_op.h"
#include "hearth/nn/init.h"
#include "hearth/tensor/class_scores.h"

namespace hearth::network_ops {
namespace {

// Points and class numbers to half the squared distance of each point from its class's center.
class ClassCenters : public Layer {
 protected:
  std::vector<Spec> prepare(std::span<const Spec> inputs, const BuildContext& context) override {
    const std::vector<int64_t> shape = {inputs[1].classes, inputs[0].shape[0]};
    centers_ = &add_parameter("centers", normal(context, "centers", shape, 1));
    return {Spec{}};
  }
  void forward(std::span<const at::Tensor> inputs, std::span<at::Tensor> outputs) override {
    const at::Tensor own = centers_->index_select(0, inputs[1]);
    outputs[0] = inputs[0].sub(own).square().sum(1).mul(0.5);
  }

 private:
  at::Tensor* centers_ = nullptr;
};

class CenterLossOp : public NetworkOp {
 public:
  using Options = CenterLossOptions;
  explicit CenterLossOp(CenterLossOptions options) : options_(std::move(options)) {}

  [[nodiscard]] std::vector<std::string> reads() const override { return options_.in; }
  [[nodiscard]] std::vector<std::string> writes() const override { return {options_.out}; }
  [[nodiscard]] bool looks_at_parameters() const override { return false; }
  [[nodiscard]] std::vector<std::string> model_names() const override { return {options_.name}; }

  [[nodiscard]] std::vector<OwnModel> own_models() const override {
    auto options = std::make_shared<ModelOptions>();
    options->optimizer = options_.optimizer;
    std::vector<OwnModel> models;
    models.push_back({options_.name, options, std::make_unique<ClassCenters>()});
    return models;
  }

  void bind(ModelSet& models) override {
    models_ = &models;
    model_ = &models.find(options_.name);
  }

  [[nodiscard]] std::vector<Spec> infer(const std::vector<Spec>& inputs) override {
    const Spec& points = inputs[0];
    const Spec& classes = inputs[1];
    if (!is_floating(points.dtype) || points.is_per_batch || points.shape.size() != 1)
      throw GraphError("needs a point for each sample, float [B, F], in '" + options_.in[0] +
                       "', but it is " + points.text() + ". Name a key that a model call writes.");
    if (classes.dtype != DType::kInt64 || !classes.shape.empty() || classes.classes == 0)
      throw GraphError("needs a class number for each sample in '" + options_.in[1] +
                       "', but it is " + classes.text() + ". Name the key of the labels.");
    (void)model_->build(inputs, models_->build_context());
    Spec loss;
    loss.is_per_batch = true;
    return {loss};
  }

  void use_specs(std::span<const Spec> inputs) override { model_->select_shape(inputs); }

  void run(StepContext&, std::span<const at::Tensor> inputs,
           std::span<at::Tensor> outputs) override {
    std::vector<at::Tensor> distances(1);
    model_->layer()(inputs, distances);
    outputs[0] = distances[0].mean();
  }

 private:
  CenterLossOptions options_;
  ModelSet* models_ = nullptr;
  Model* model_ = nullptr;
};

}  // namespace

const Schema<CenterLossOptions>& CenterLossOptions::schema() {
  using O = CenterLossOptions;
  static const auto fields =
      Schema<O>()
          .field(
              &O::name, "name",
              "Name of the model that the centers become: an `update` must name it to move them.",
              not_empty(), file_name())
          .field(&O::in, "in", "Keys of the points and of the class numbers.")
          .field(&O::out, "out", "Key of the loss: the mean of half the squared distances.",
                 not_empty())
          .field(&O::optimizer, "optimizer", "What moves the centers.")
          .check("in must name two keys: the points and the class numbers.",
                 [](const O& options) { return options.in.size() == 2; });
  return fields;
}

Choice<NetworkOp> center_loss(CenterLossOptions options) {
  return choose<NetworkOp>("center_loss", options);
}

void register_center_loss(Registry<NetworkOp>& ops) {
  ops.add<CenterLossOp>("center_loss",
                        "Points of a class near its center, which an update moves along.");
}

}  // namespace hearth::network_ops
