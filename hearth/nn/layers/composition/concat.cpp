// Several values behind each other: channels of images, features of sequences.
#include "hearth/nn/layers/composition/concat.h"

#include <ATen/ops/cat.h>

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/nn/along_axis.h"
#include "hearth/nn/pointwise.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

class Concat : public Layer {
 public:
  using Options = ConcatOptions;
  explicit Concat(ConcatOptions) {}

 protected:
  std::vector<Spec> prepare(std::span<const Spec> inputs, const BuildContext& context) override {
    const std::vector<int64_t>& first = inputs.front().shape;
    if (first.empty())
      throw_input_error(context, "concat", "features [F], sequences [T, F] or images [C, H, W]",
                        inputs.front(), "Give it values with a dimension.");
    axis_ = feature_axis(first.size());
    Spec output;
    output.shape = first;
    output.shape[axis_] = 0;
    for (const Spec& input : inputs) {
      require_float32(context, "concat", input);
      require_same_rest(context, inputs.front(), input);
      output.shape[axis_] += input.shape[axis_];
    }
    return {output};
  }

  void forward(std::span<const at::Tensor> inputs, std::span<at::Tensor> outputs) override {
    outputs[0] =
        at::cat(at::TensorList(inputs.data(), inputs.size()), static_cast<int64_t>(axis_) + 1);
  }

 private:
  void require_same_rest(const BuildContext& context, const Spec& first, const Spec& other) const {
    std::vector<int64_t> left = first.shape;
    std::vector<int64_t> right = other.shape;
    if (left.size() == right.size()) {
      left[axis_] = right[axis_] = 0;
      if (left == right) return;
    }
    throw GraphError(
        context.path + " concat: needs values that differ in " +
        (first.shape.size() == 3 ? "channels" : "features") + " only, but got " + first.text() +
        " and " + other.text() +
        ". Bring one to the other's size, for instance with upsample2d or max_pool2d.");
  }

  size_t axis_ = 0;
};

}  // namespace

const Schema<ConcatOptions>& ConcatOptions::schema() { return no_fields<ConcatOptions>(); }

Choice<Layer> concat(ConcatOptions options) { return choose<Layer>("concat", options); }

void register_concat(Registry<Layer>& layers) {
  layers.add<Concat>("concat",
                     "Several values behind each other: channels of images, features of others.");
}

}  // namespace hearth::layers
