// The base of losses with a point for each class, such as its center or its direction. The points
// are parameters of the op's own: a model that it brings along, with an optimizer, and an update in
// the network that names it.
#pragma once

#include <memory>

#include "hearth/network/losses/loss_op.h"
#include "hearth/network/model.h"

namespace hearth {

// A layer that gives its one parameter, [classes, F], for points [B, F] and labels. First
// values are normal, of this deviation; 0 makes the points about one long.
[[nodiscard]] std::unique_ptr<Layer> class_points(const std::string& parameter, double deviation);

// The own model of such a loss.
class ClassPointsModel {
 public:
  void bind(ModelSet& models, const std::string& name);
  // GraphError unless the keys are points and numbers, or shares, of known classes.
  void build(std::span<const KeySpec> inputs);
  void use_specs(std::span<const Spec> inputs) { model_->select_shape(inputs.first(2)); }
  [[nodiscard]] at::Tensor points(std::span<const at::Tensor> inputs) const;

 private:
  ModelSet* models_ = nullptr;
  Model* model_ = nullptr;
};

// What the options of all of them have; `points` is what its model becomes, such as "centers".
template <class Options>
[[nodiscard]] Schema<Options> class_points_fields(const std::string& points,
                                                  const std::string& out = "Key of the loss.") {
  return Schema<Options>()
      .field(&Options::name, "name",
             "Name of the model that the " + points +
                 " become: an `update` must name it to move them.",
             not_empty(), file_name())
      .field(&Options::in, "in",
             "Keys of the points and of the class numbers, or of soft labels, by whose shares the "
             "losses of all classes are weighed.")
      .field(&Options::out, "out", out, not_empty())
      .check("in must name two keys: the points and the class numbers.",
             [](const Options& options) { return options.in.size() == 2; });
}

// `Loss` is one of loss_op.h, with `static constexpr` `kParameter` and `kDeviation`; its options
// have `name` and `optimizer`, and its inputs the class points as a third. It is computed without
// `check`.
template <class Loss>
class ClassPointsLossOp : public LossOp<Loss> {
 public:
  using Base = LossOp<Loss>;
  using Base::Base;

  [[nodiscard]] std::vector<std::string> model_names() const override {
    return {this->options().name};
  }
  [[nodiscard]] std::vector<OwnModel> own_models() const override {
    auto options = std::make_shared<ModelOptions>();
    options->optimizer = this->options().optimizer;
    std::vector<OwnModel> models;
    models.push_back(
        {this->options().name, options, class_points(Loss::kParameter, Loss::kDeviation)});
    return models;
  }
  void bind(ModelSet& models) override {
    Base::bind(models);
    own_.bind(models, this->options().name);
  }
  void use_specs(std::span<const Spec> inputs) override { own_.use_specs(inputs); }

 protected:
  [[nodiscard]] LossShape check(std::span<const KeySpec> inputs) override {
    own_.build(inputs);
    return {};
  }
  [[nodiscard]] LossValues losses_of(const StepContext& context, LossInputs inputs) override {
    std::vector<at::Tensor> values(inputs.values.begin(), inputs.values.end());
    values.push_back(own_.points(inputs.values));
    inputs.values = values;
    return Base::losses_of(context, inputs);
  }

 private:
  ClassPointsModel own_;
};

}  // namespace hearth
