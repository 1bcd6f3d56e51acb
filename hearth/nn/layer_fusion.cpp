// Rewrites the steps of a described layer so that a layer computes the addition and the relu, or
// another activation, after it along with itself.
#include "hearth/nn/layer_fusion.h"

#include <algorithm>
#include <optional>
#include <string>

#include "hearth/nn/layer.h"

namespace hearth {
namespace {

// Activations without options that some layers compute along.
Activation activation_of(const LayerStep& step) {
  const std::string name = step.addition == nullptr ? step.layer->choice().name() : "";
  if (name == "relu6") return Activation::kRelu6;
  if (name == "silu") return Activation::kSilu;
  return name == "hardswish" ? Activation::kHardswish : Activation::kNone;
}

class Fusion {
 public:
  Fusion(std::vector<LayerStep>& steps, size_t count, const std::vector<int>& outputs)
      : steps_(steps), readers_(count) {
    for (const LayerStep& step : steps)
      for (const int value : step.inputs) ++readers_[static_cast<size_t>(value)];
    for (const int value : outputs) ++readers_[static_cast<size_t>(value)];
  }

  void run() {
    for (size_t i = 0; i < steps_.size();) {
      const bool is_gone = is_of(steps_[i], "add")    ? take_addition(i)
                           : is_of(steps_[i], "relu") ? take_relu(i)
                                                      : take_activation(i);
      if (!is_gone) ++i;
    }
  }

 private:
  [[nodiscard]] static bool is_of(const LayerStep& step, const std::string& component) {
    return step.layer->choice().name() == component && step.relu == nullptr &&
           step.addition == nullptr && step.outputs.size() == 1 && step.outputs.front() >= 0;
  }

  // The step that makes a value which nobody else reads, when something may still come after it.
  [[nodiscard]] std::optional<size_t> carrier(int value, size_t before) const {
    if (readers_[static_cast<size_t>(value)] != 1) return std::nullopt;
    for (size_t i = 0; i < before; ++i)
      if (steps_[i].is_unary() && steps_[i].outputs.front() == value && steps_[i].relu == nullptr)
        return i;
    return std::nullopt;
  }

  bool take_relu(size_t relu) {
    const std::optional<size_t> maker = carrier(steps_[relu].inputs.front(), relu);
    if (!maker || steps_[relu].inputs.size() != 1) return false;
    steps_[*maker].relu = steps_[relu].layer;
    steps_[*maker].outputs = steps_[relu].outputs;
    steps_.erase(steps_.begin() + static_cast<std::ptrdiff_t>(relu));
    return true;
  }

  bool take_activation(size_t step) {
    const Activation activation = activation_of(steps_[step]);
    if (activation == Activation::kNone || !steps_[step].is_unary()) return false;
    const std::optional<size_t> maker = carrier(steps_[step].inputs.front(), step);
    if (!maker || steps_[*maker].addition != nullptr || !steps_[*maker].layer->takes(activation))
      return false;
    steps_[*maker].activation = activation;
    return take_relu(step);
  }

  // The layer moves to where the addition was: the other term may be made in between.
  bool take_addition(size_t addition) {
    const LayerStep& sum = steps_[addition];
    if (sum.inputs.size() != 2) return false;
    for (const size_t term : {size_t{0}, size_t{1}}) {
      const std::optional<size_t> maker = carrier(sum.inputs[term], addition);
      if (!maker || steps_[*maker].addition != nullptr) continue;
      LayerStep whole = steps_[*maker];
      whole.addition = sum.layer;
      whole.addend = sum.inputs[1 - term];
      whole.is_addend_first = term == 1;
      whole.outputs = sum.outputs;
      steps_[addition] = std::move(whole);
      steps_.erase(steps_.begin() + static_cast<std::ptrdiff_t>(*maker));
      return true;
    }
    return false;
  }

  std::vector<LayerStep>& steps_;
  std::vector<int> readers_;  // by value
};

}  // namespace

void fuse_steps(std::vector<LayerStep>& steps, size_t count, const std::vector<int>& outputs) {
  Fusion(steps, count, outputs).run();
}

}  // namespace hearth
