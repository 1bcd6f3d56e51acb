// The product of several values: of one shape, or of a value and its gates.
#include "hearth/nn/layers/composition/multiply.h"

#include <ATen/ops/mul.h>

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/nn/along_axis.h"

namespace hearth::layers {
namespace {

class Multiply : public Layer {
 protected:
  std::vector<Spec> prepare(std::span<const Spec> inputs, const BuildContext& context) override {
    size_t dimensions = 0;
    for (const Spec& input : inputs) dimensions = std::max(dimensions, input.shape.size());
    std::vector<std::vector<int64_t>> shapes;
    for (const Spec& input : inputs) {
      require_float32(context, "multiply", input);
      shapes.push_back(spread_shape(input.shape, dimensions));
    }
    const auto whole = std::max_element(shapes.begin(), shapes.end(), is_below);
    for (size_t i = 0; i < shapes.size(); ++i)
      if (!fits(shapes[i], *whole))
        throw_misfit(context, inputs[static_cast<size_t>(whole - shapes.begin())], inputs[i]);
    Spec output;
    output.shape = *whole;
    return {output};
  }

  void forward(std::span<const at::Tensor> inputs, std::span<at::Tensor> outputs) override {
    int64_t dimensions = 0;
    for (const at::Tensor& input : inputs) dimensions = std::max(dimensions, input.dim() - 1);
    at::Tensor product;
    for (const at::Tensor& input : inputs) {
      const at::Tensor factor = spread(input, static_cast<size_t>(dimensions));
      product = product.defined() ? at::mul(product, factor) : factor;
    }
    outputs[0] = product;
  }

 private:
  // One number for each channel, [C], stands where the channels of the whole shape do.
  static std::vector<int64_t> spread_shape(const std::vector<int64_t>& shape, size_t dimensions) {
    if (shape.size() == dimensions || shape.size() != 1) return shape;
    std::vector<int64_t> spread(dimensions, 1);
    spread[feature_axis(dimensions)] = shape[0];
    return spread;
  }

  // By dimensions, then by how many of them are more than one: the whole shape is the largest.
  static bool is_below(const std::vector<int64_t>& left, const std::vector<int64_t>& right) {
    const auto gaps = [](const std::vector<int64_t>& shape) {
      return std::count(shape.begin(), shape.end(), 1);
    };
    return left.size() != right.size() ? left.size() < right.size() : gaps(left) > gaps(right);
  }

  static bool fits(const std::vector<int64_t>& shape, const std::vector<int64_t>& whole) {
    return shape.size() == whole.size() &&
           std::equal(shape.begin(), shape.end(), whole.begin(),
                      [](int64_t own, int64_t all) { return own == all || own == 1; });
  }

  static at::Tensor spread(const at::Tensor& value, size_t dimensions) {
    std::vector<int64_t> sizes = spread_shape(value.sizes().slice(1).vec(), dimensions);
    sizes.insert(sizes.begin(), value.size(0));
    return value.reshape(sizes);
  }

  [[noreturn]] static void throw_misfit(const BuildContext& context, const Spec& whole,
                                        const Spec& other) {
    throw GraphError(context.path + " multiply: cannot spread " + other.text() + " over " +
                     whole.text() +
                     ". A factor has the other's shape, length 1 along some of its dimensions, or "
                     "is one number for each channel, [C].");
  }
};

}  // namespace

Choice<Layer> multiply() { return {"multiply", Node::map()}; }

void register_multiply(Registry<Layer>& layers) {
  layers.add("multiply",
             "The product of several values. Each has the whole shape, length 1 along some of its "
             "dimensions, as [C, 1, 1] for [C, H, W], or is one number for each channel, [C].",
             [] { return std::make_unique<Multiply>(); });
}

}  // namespace hearth::layers
