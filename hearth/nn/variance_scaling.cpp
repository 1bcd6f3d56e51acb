// Weights scaled until what their layers give has a wanted deviation.
#include "hearth/nn/variance_scaling.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/ones.h>

#include <cmath>
#include <list>

#include "hearth/tensor/convert.h"

namespace hearth {
namespace {

constexpr int64_t kDrawnLength = 16;
constexpr int kMostScalings = 10;
constexpr double kNearEnough = 0.01;

// Listens to one layer and scales its weights when it is called first.
class ScaledLayer {
 public:
  ScaledLayer(Layer& layer, std::vector<at::Tensor> weights, double deviation)
      : layer_(layer), weights_(std::move(weights)), deviation_(deviation) {
    layer.add_hook_before([this](const Layer&, at::Tensor& value) {
      if (!is_done_) inputs_.push_back(value);
    });
    layer.add_hook_after([this](const Layer&, at::Tensor& value) {
      if (!is_done_) scale(value);
    });
  }
  ScaledLayer(const ScaledLayer&) = delete;
  ScaledLayer& operator=(const ScaledLayer&) = delete;

 private:
  // The layer is called again within its call, by then without this listener's doing anything.
  void scale(at::Tensor& value) {
    is_done_ = true;
    for (int i = 0; i < kMostScalings; ++i) {
      const double found = value.std().item<double>();
      if (!std::isfinite(found) || found == 0 || std::abs(found / deviation_ - 1) < kNearEnough)
        break;
      for (const at::Tensor& weight : weights_) weight.mul_(deviation_ / found);
      value = called();
    }
    inputs_.clear();
  }

  [[nodiscard]] at::Tensor called() {
    if (inputs_.size() == 1) return layer_(inputs_.front());
    std::vector<at::Tensor> outputs(layer_.output_specs().size());
    layer_(inputs_, outputs);
    return outputs.front();
  }

  Layer& layer_;
  std::vector<at::Tensor> weights_;
  double deviation_;
  std::vector<at::Tensor> inputs_;
  bool is_done_ = false;
};

void listen(Layer& layer, const std::vector<at::Tensor>& weights, double deviation,
            std::list<ScaledLayer>& listeners) {
  std::vector<at::Tensor> own;
  for (const OwnTensor& held : layer.tree().own_parameters())
    for (const at::Tensor& weight : weights)
      if (weight.is_same(*held.tensor)) own.push_back(weight);
  if (!own.empty()) listeners.emplace_back(layer, std::move(own), deviation);
  for (const auto& [name, child] : layer.children()) listen(*child, weights, deviation, listeners);
}

// As the model predicts, and afterwards as it was; nobody listens any more.
class Measuring {
 public:
  explicit Measuring(Layer& model) : model_(model), was_training_(model.is_training()) {
    model_.set_training(false);
  }
  ~Measuring() {
    model_.set_training(was_training_);
    model_.clear_hooks();
  }
  Measuring(const Measuring&) = delete;
  Measuring& operator=(const Measuring&) = delete;

 private:
  Layer& model_;
  bool was_training_;
};

at::Tensor drawn_input(const Spec& spec, int64_t samples, const at::Generator& generator) {
  std::vector<int64_t> sizes = spec.shape;
  for (int64_t& length : sizes)
    if (length == kAnyLength) length = kDrawnLength;
  sizes.insert(sizes.begin(), samples);
  if (spec.dtype == DType::kFloat32) return at::empty(sizes, at::kFloat).normal_(0, 1, generator);
  const at::TensorOptions options = at::TensorOptions(scalar_type(spec.dtype));
  if (spec.dtype == DType::kInt64 && spec.classes > 0)
    return at::empty(sizes, options).random_(0, spec.classes, generator);
  return at::ones(sizes, options);
}

}  // namespace

std::vector<at::Tensor> drawn_inputs(const Layer& model, int64_t samples,
                                     const at::Generator& generator) {
  std::vector<at::Tensor> inputs;
  for (const Spec& spec : model.input_specs())
    inputs.push_back(drawn_input(spec, samples, generator));
  return inputs;
}

void scale_to_deviation(Layer& model, const std::vector<at::Tensor>& weights, double deviation,
                        const std::vector<at::Tensor>& inputs) {
  if (weights.empty() || weights.front().is_meta()) return;  // which has no values
  const Measuring measuring(model);
  std::list<ScaledLayer> listeners;
  listen(model, weights, deviation, listeners);
  std::vector<at::Tensor> placed;
  for (const at::Tensor& input : inputs) placed.push_back(input.to(weights.front().device()));
  std::vector<at::Tensor> outputs(model.output_specs().size());
  model(placed, outputs);
}

}  // namespace hearth
