// Scaled dot-product attention of several heads.
#include "hearth/kernels/attention/attention.h"

#include <ATen/ops/full.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/softmax.h>

#include <cmath>
#include <limits>

#include "hearth/kernels/attention/attention_fast.h"
#include "hearth/kernels/dropout/dropout.h"
#include "hearth/kernels/product/products.h"

namespace hearth {
namespace {

at::Tensor either(const at::Tensor& left, const at::Tensor& right) {
  if (!left.defined() || !right.defined()) return left.defined() ? left : right;
  return left.logical_or(right);
}

// [T, S] or [B, 1, T, S]: true where a place (row) may not look at another (column).
at::Tensor hidden_places(const at::Tensor& scores, const AttentionSettings& settings,
                         const AttentionInput& input) {
  at::Tensor hidden = input.hidden;
  if (settings.is_causal)
    hidden = either(
        hidden,
        at::ones({scores.size(2), scores.size(3)}, scores.options().dtype(at::kBool)).triu(1));
  if (!input.mask.defined()) return hidden;
  return either(hidden, input.mask.view({input.mask.size(0), 1, 1, scores.size(3)}));
}

at::Tensor attention_weights(const at::Tensor& scores, const at::Tensor& hidden) {
  if (!hidden.defined()) return at::softmax(scores, -1);
  const double lowest = -std::numeric_limits<double>::infinity();
  // A row without any place to look at is 0/0 in the softmax: its weights are zeros.
  return at::softmax(scores.masked_fill(hidden, lowest), -1).masked_fill(hidden, 0);
}

// [B, T, D] as [B, heads, T, head].
at::Tensor heads_of(const at::Tensor& value, int64_t heads) {
  return value.unflatten(2, {heads, value.size(2) / heads}).transpose(1, 2);
}

at::Tensor product_of(Precision precision, const at::Tensor& left, const at::Tensor& right) {
  return as_sum(precision, at::matmul(as_factor(precision, left), as_factor(precision, right)));
}

at::Tensor plain_attention(Precision precision, const AttentionInput& input,
                           const AttentionSettings& settings) {
  const at::Tensor queries = heads_of(input.queries, settings.heads);
  const at::Tensor keys = heads_of(input.keys, settings.heads);
  const auto head = static_cast<double>(queries.size(3));
  at::Tensor scores =
      product_of(precision, queries, keys.transpose(-2, -1)).mul(1 / std::sqrt(head));
  if (input.penalty.defined()) scores = scores.add(input.penalty);
  at::Tensor weights = attention_weights(scores, hidden_places(scores, settings, input));
  if (settings.dropout > 0) weights = drop_values(Kernels::kPlain, weights, settings.dropout);
  return product_of(precision, weights, heads_of(input.values, settings.heads))
      .transpose(1, 2)
      .flatten(2);
}

bool mask_fits(const at::Tensor& mask, int64_t batch, int64_t seen) {
  return !mask.defined() || (mask.scalar_type() == at::kBool && mask.is_cpu() && mask.dim() == 2 &&
                             mask.size(0) == batch && mask.size(1) == seen);
}

// A row for each place, of values that the heads share evenly.
bool tensor_fits(Kernels kernels, const at::Tensor& tensor, int64_t parts,
                 const AttentionSettings& settings) {
  return goes_fast(kernels, tensor) && tensor.dim() == 3 && tensor.numel() > 0 &&
         tensor.size(2) % (parts * settings.heads) == 0;
}

// Both of one batch and one width; a causal place sees as many places as there are before it.
bool pair_fits(const at::Tensor& queries, const at::Tensor& others, int64_t parts,
               const AttentionSettings& settings) {
  return queries.size(0) == others.size(0) && queries.size(2) * parts == others.size(2) &&
         (!settings.is_causal || queries.size(1) == others.size(1));
}

}  // namespace

at::Tensor attention(Kernels kernels, const at::Tensor& packed, const AttentionSettings& settings,
                     const at::Tensor& mask) {
  if (tensor_fits(kernels, packed, 3, settings) && mask_fits(mask, packed.size(0), packed.size(1)))
    return fast_attention(kernels.precision, {packed, {}, {}}, settings, mask);
  const std::vector<at::Tensor> parts = packed.chunk(3, 2);
  return plain_attention(kernels.precision, {parts[0], parts[1], parts[2], mask}, settings);
}

at::Tensor cross_attention(Kernels kernels, const at::Tensor& queries, const at::Tensor& pairs,
                           const AttentionSettings& settings, const at::Tensor& mask) {
  if (tensor_fits(kernels, queries, 1, settings) && tensor_fits(kernels, pairs, 2, settings) &&
      pair_fits(queries, pairs, 2, settings) && mask_fits(mask, pairs.size(0), pairs.size(1)))
    return fast_attention(kernels.precision, {queries, pairs, {}}, settings, mask);
  const std::vector<at::Tensor> parts = pairs.chunk(2, 2);
  return plain_attention(kernels.precision, {queries, parts[0], parts[1], mask}, settings);
}

at::Tensor attention(Kernels kernels, const AttentionInput& input,
                     const AttentionSettings& settings) {
  const bool is_simple = !input.hidden.defined() && !input.penalty.defined();
  if (is_simple && tensor_fits(kernels, input.queries, 1, settings) &&
      tensor_fits(kernels, input.keys, 1, settings) &&
      tensor_fits(kernels, input.values, 1, settings) &&
      pair_fits(input.queries, input.keys, 1, settings) &&
      input.keys.sizes() == input.values.sizes() &&
      mask_fits(input.mask, input.keys.size(0), input.keys.size(1)))
    return fast_attention(kernels.precision, {input.queries, input.keys, input.values}, settings,
                          input.mask);
  return plain_attention(kernels.precision, input, settings);
}

}  // namespace hearth
