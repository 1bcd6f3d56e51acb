// The order in memory in which a kernel wants a weight, and parameters that are laid out in it.
#pragma once

#include <array>
#include <cstdint>

#include <ATen/core/Tensor.h>

namespace hearth {

// A convolution's weight [O, I, H, W] with its channels cut into blocks, [O / a, a, I / b, b, H,
// W], and where in memory each value lies. The values come in the same sequence as in an ordinary
// weight: `reshape` turns either form into the other, and what LibTorch does value by value it
// does with both.
struct WeightOrder {
  std::array<int64_t, 6> sizes = {1, 1, 1, 1, 1, 1};
  std::array<int64_t, 6> strides = {1, 1, 1, 1, 1, 1};

  [[nodiscard]] bool operator==(const WeightOrder&) const = default;
  [[nodiscard]] bool is_order_of(const at::Tensor& tensor) const {
    return tensor.sizes() == at::IntArrayRef(sizes) && tensor.strides() == at::IntArrayRef(strides);
  }
};

// The sizes of the ordinary weight, whichever form this one has; of four or six dimensions.
[[nodiscard]] std::array<int64_t, 4> ordinary_sizes(const at::Tensor& weight);

// The same values in the form and the order in memory of `model`: itself when it has them already.
[[nodiscard]] at::Tensor laid_out_like(const at::Tensor& tensor, const at::Tensor& model);

// Move a parameter's values, and its gradient's, into another form; the tensor stays the same one,
// so that layers and optimizers that hold it follow. Nothing happens when it has that form already.
void pack_parameter(const at::Tensor& parameter, const WeightOrder& order);
void unpack_parameter(const at::Tensor& parameter, at::IntArrayRef sizes);
// Whether a graph that is being made, or still lives, leads to the parameter.
[[nodiscard]] bool is_in_graph(const at::Tensor& parameter);
// `own` gets the form and the memory of `first`, which stand for one parameter in two replicas.
void share_parameter(const at::Tensor& first, const at::Tensor& own);

}  // namespace hearth
