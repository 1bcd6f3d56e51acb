// What layers share that make parts of their input zero at random.
#pragma once

#include <ATen/core/Tensor.h>

#include "hearth/config/choice.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/requirements.h"

namespace hearth {

// Ones with probability 1 - p, zeros otherwise, of the type and on the device of `like`.
[[nodiscard]] at::Tensor random_mask(const at::Tensor& like, at::IntArrayRef sizes, double p);
// A share `p` of the parts becomes zero, the others grow so that the mean stays. A part is all that
// has the same place in the first `dimensions` dimensions: 1 for samples, 2 for channels.
[[nodiscard]] at::Tensor drop_parts(const at::Tensor& input, double p, size_t dimensions);

// A layer that does `Function::of(input, options)` while training and nothing otherwise.
template <class Function>
class Dropping : public Layer {
 public:
  using Options = typename Function::Options;
  explicit Dropping(Options options) : options_(std::move(options)) {}

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    Function::require(context, input);
    Spec output;
    output.shape = input.shape;
    return output;
  }

  at::Tensor forward(const at::Tensor& input) override {
    return is_training() && options_.p > 0 ? Function::of(input, options_) : input;
  }

 private:
  Options options_;
};

}  // namespace hearth
