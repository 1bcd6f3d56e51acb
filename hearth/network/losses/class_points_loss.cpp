// A point for each class, as a model of a loss's own.
#include "hearth/network/losses/class_points_loss.h"

#include <cmath>

#include "hearth/network/losses/loss_checks.h"
#include "hearth/nn/init.h"
#include "hearth/tensor/class_scores.h"

namespace hearth {
namespace {

class ClassPoints : public Layer {
 public:
  ClassPoints(std::string parameter, double deviation)
      : parameter_(std::move(parameter)), deviation_(deviation) {}

 protected:
  std::vector<Spec> prepare(std::span<const Spec> inputs, const BuildContext& context) override {
    const int64_t classes = are_soft_labels(inputs[1]) ? inputs[1].shape[0] : inputs[1].classes;
    const std::vector<int64_t> shape = {classes, inputs[0].shape[0]};
    const double unit = 1 / std::sqrt(static_cast<double>(std::max<int64_t>(shape[1], 1)));
    points_ = &add_parameter(
        parameter_, normal(context, parameter_, shape, deviation_ > 0 ? deviation_ : unit));
    Spec points;
    points.shape = shape;
    points.is_per_batch = true;
    return {points};
  }
  void forward(std::span<const at::Tensor>, std::span<at::Tensor> outputs) override {
    outputs[0] = *points_;
  }

 private:
  std::string parameter_;
  double deviation_;
  at::Tensor* points_ = nullptr;
};

}  // namespace

std::unique_ptr<Layer> class_points(const std::string& parameter, double deviation) {
  return std::make_unique<ClassPoints>(parameter, deviation);
}

void ClassPointsModel::bind(ModelSet& models, const std::string& name) {
  models_ = &models;
  model_ = &models.find(name);
}

void ClassPointsModel::build(std::span<const KeySpec> inputs) {
  check_points(inputs[0]);
  check_known_classes(inputs[1]);
  const std::vector<Spec> specs = {inputs[0].spec, inputs[1].spec};
  (void)model_->build(specs, models_->build_context());
}

at::Tensor ClassPointsModel::points(std::span<const at::Tensor> inputs) const {
  std::vector<at::Tensor> points(1);
  model_->layer()(inputs.first(2), points);
  return points[0];
}

}  // namespace hearth
