// Tensors and values as one row of bytes, to be sent to other ranks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <ATen/core/Tensor.h>

#include "hearth/tensor/state.h"

namespace hearth {

struct TensorPacket {
  std::vector<at::Tensor> tensors;  // may be undefined
  Json values = nullptr;

  // One-dimensional, of bytes.
  [[nodiscard]] at::Tensor bytes() const;
  // Tensors in memory of their own. DataError when these are no packet's bytes.
  [[nodiscard]] static TensorPacket of(const at::Tensor& bytes);
  [[nodiscard]] static TensorPacket of(std::string_view bytes);
};

[[nodiscard]] TensorPacket packet_of(const State& state);
[[nodiscard]] State state_of(const TensorPacket& packet);

}  // namespace hearth
