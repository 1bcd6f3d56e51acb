// Scaled dot-product attention of several heads.
#include "hearth/kernels/attention/attention.h"

#include <ATen/ops/full.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/softmax.h>

#include <cmath>
#include <limits>

#include "hearth/kernels/attention/attention_fast.h"
#include "hearth/kernels/random_stream.h"

namespace hearth {
namespace {

// [T, T] or [B, 1, T, T]: true where a place (row) may not look at another (column).
at::Tensor hidden_places(const at::Tensor& packed, const AttentionSettings& settings,
                         const at::Tensor& mask) {
  const int64_t length = packed.size(1);
  at::Tensor hidden;
  if (settings.is_causal) {
    hidden = at::ones({length, length}, packed.options().dtype(at::kBool)).triu(1);
  }
  if (!mask.defined()) return hidden;
  const at::Tensor columns = mask.view({mask.size(0), 1, 1, length});
  return hidden.defined() ? hidden.logical_or(columns) : columns;
}

at::Tensor attention_weights(const at::Tensor& scores, const at::Tensor& hidden) {
  if (!hidden.defined()) return at::softmax(scores, -1);
  const double lowest = -std::numeric_limits<double>::infinity();
  // A row without any place to look at is 0/0 in the softmax: its weights are zeros.
  return at::softmax(scores.masked_fill(hidden, lowest), -1).masked_fill(hidden, 0);
}

at::Tensor plain_attention(const at::Tensor& packed, const AttentionSettings& settings,
                           const at::Tensor& mask) {
  const int64_t batch = packed.size(0);
  const int64_t length = packed.size(1);
  const int64_t width = packed.size(2) / 3;
  const int64_t head = width / settings.heads;
  const at::Tensor parts =
      packed.view({batch, length, 3, settings.heads, head}).permute({2, 0, 3, 1, 4});
  const at::Tensor scores = at::matmul(parts[0], parts[1].transpose(-2, -1))
                                .mul(1 / std::sqrt(static_cast<double>(head)));
  at::Tensor weights = attention_weights(scores, hidden_places(packed, settings, mask));
  if (settings.dropout > 0) weights = drop_values(weights, settings.dropout);
  return at::matmul(weights, parts[2]).transpose(1, 2).reshape({batch, length, width});
}

}  // namespace

at::Tensor attention(Kernels kernels, const at::Tensor& packed, const AttentionSettings& settings,
                     const at::Tensor& mask) {
  const bool fits = packed.dim() == 3 && packed.numel() > 0 &&
                    packed.size(2) % (3 * settings.heads) == 0 &&
                    (!mask.defined() || (mask.scalar_type() == at::kBool && mask.is_cpu() &&
                                         mask.sizes() == packed.sizes().slice(0, 2)));
  if (fits && goes_fast(kernels, packed)) {
    return fast_attention(packed.contiguous(), settings, mask);
  }
  return plain_attention(packed, settings, mask);
}

}  // namespace hearth
