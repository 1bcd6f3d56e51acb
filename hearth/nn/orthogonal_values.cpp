// Matrices whose rows, or columns, are at right angles.
#include "hearth/nn/orthogonal_values.h"

#include <ATen/ops/empty_like.h>
#include <ATen/ops/linalg_qr.h>

namespace hearth {

void fill_orthogonal(at::Tensor& values, double gain, const at::Generator& generator) {
  if (values.numel() == 0) return;
  const at::Tensor matrix = values.reshape({values.size(0), -1});
  const bool is_tall = matrix.size(0) >= matrix.size(1);
  const at::Tensor drawn = at::empty_like(matrix).normal_(0, 1, generator);
  const auto [turned, triangle] = at::linalg_qr(is_tall ? drawn : drawn.t());
  // Signs that make every such matrix equally likely.
  const at::Tensor directions = turned.mul(triangle.diagonal().sign());
  values.copy_((is_tall ? directions : directions.t()).reshape(values.sizes()));
  values.mul_(gain);
}

}  // namespace hearth
