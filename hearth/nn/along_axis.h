// Layers that are one expression along a dimension: a struct with a name, the expression, and of
// how many equal parts along that dimension it makes one.
//   struct Softmax {
//     static constexpr const char* name = "softmax";
//     static constexpr int64_t kParts = 1;
//     static at::Tensor of(const at::Tensor& input, int64_t dim, Kernels) { ... }
//   };
#pragma once

#include "hearth/config/registry.h"
#include "hearth/nn/axis_options.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/requirements.h"

namespace hearth {

// Channels stand first in images, features last in everything else.
[[nodiscard]] inline size_t feature_axis(size_t dimensions) {
  return dimensions == 3 ? 0 : dimensions - 1;
}
// The dimension of a batch that the option, or its absence, means.
[[nodiscard]] int64_t batch_dim(const at::Tensor& batch, const AxisOptions& options = {});
// The dimension of a sample that the option names; GraphError when it has none of that number.
[[nodiscard]] size_t require_axis(const BuildContext& context, const std::string& layer,
                                  const Spec& input, const AxisOptions& options);
// GraphError when the dimension cannot be cut into so many equal parts.
void require_parts(const BuildContext& context, const std::string& layer, const Spec& input,
                   size_t axis, int64_t parts);

// The first half of the values times a function of the second half.
template <class Gate>
[[nodiscard]] at::Tensor gated(const at::Tensor& input, int64_t dim, const Gate& gate) {
  const std::vector<at::Tensor> halves = input.chunk(2, dim);
  return halves[0].mul(gate(halves[1]));
}

template <class Function>
class AlongAxis : public Layer {
 public:
  using Options = AxisOptions;
  explicit AlongAxis(Options options) : options_(options) {}

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    Spec output = float_values_like(context, Function::name, input);
    const size_t axis = require_axis(context, Function::name, input, options_);
    require_parts(context, Function::name, input, axis, Function::kParts);
    output.shape[axis] /= Function::kParts;
    return output;
  }

  at::Tensor forward(const at::Tensor& input) override {
    return Function::of(input, batch_dim(input, options_), kernels());
  }

 private:
  Options options_;
};

}  // namespace hearth
