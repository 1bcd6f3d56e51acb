// How attention knows of places: turns, penalties and windows by their numbers.
#include "hearth/nn/attention_places.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "hearth/nn/sequence_memory.h"

namespace hearth {
namespace {

// [T, S]: the number of each query's place minus that of each key's.
at::Tensor distances(const at::Tensor& queries, const at::Tensor& keys) {
  return at::arange(queries.size(1), queries.options())
      .unsqueeze(1)
      .sub(at::arange(keys.size(1), queries.options()))
      .abs();
}

// Smaller from head to head, more slowly the more there are; with a number of heads that is no
// power of two, the further ones lie between those of the next smaller one (Press et al.).
at::Tensor alibi_slopes(int64_t heads, const at::TensorOptions& options) {
  const auto whole = static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(heads)));
  const double step = -4 / static_cast<double>(whole);
  return at::cat({at::arange(whole, options).add(1).mul(2 * step),
                  at::arange(heads - whole, options).mul(2).add(1).mul(step)})
      .exp2();
}

}  // namespace

// Angles are computed in double: far places times fast turns would cost a float most of its digits.
at::Tensor turned_by_place(const at::Tensor& value, int64_t heads, double base) {
  const int64_t size = value.size(2) / heads;
  const at::TensorOptions exact = value.options().dtype(at::kDouble);
  const at::Tensor speeds =
      at::arange(size / 2, exact).mul(-2 * std::log(base) / static_cast<double>(size)).exp();
  // [T, 1, size / 2], or [B, T, 1, size / 2] where every sequence has places of its own.
  const at::Tensor angles =
      place_numbers(value).to(at::kDouble).unsqueeze(-1).mul(speeds).unsqueeze(-2);
  const at::Tensor cosines = angles.cos().to(value.scalar_type());
  const at::Tensor sines = angles.sin().to(value.scalar_type());
  const std::vector<at::Tensor> halves = value.unflatten(2, {heads, size}).chunk(2, 3);
  return at::cat({halves[0].mul(cosines).sub(halves[1].mul(sines)),
                  halves[1].mul(cosines).add(halves[0].mul(sines))},
                 3)
      .flatten(2);
}

at::Tensor distance_penalty(const at::Tensor& queries, const at::Tensor& keys, int64_t heads) {
  const at::Tensor slopes = alibi_slopes(heads, queries.options()).view({heads, 1, 1});
  return distances(queries, keys).mul(slopes.neg());
}

at::Tensor beyond_window(const at::Tensor& queries, const at::Tensor& keys, int64_t window) {
  return distances(queries, keys).ge(window);
}

double seen_pairs(int64_t queries, int64_t keys, bool is_causal, std::optional<int64_t> window) {
  const int64_t longest = std::max(queries, keys);
  const int64_t reach = std::min(window.value_or(longest), longest);
  double pairs = 0;
  for (int64_t place = 0; place < queries; ++place) {
    const int64_t end = std::min(keys, is_causal ? place + 1 : place + reach);
    const int64_t begin = std::max<int64_t>(0, place - reach + 1);
    pairs += static_cast<double>(std::max<int64_t>(0, end - begin));
  }
  return pairs;
}

at::Tensor shared_heads(const at::Tensor& value, int64_t few, int64_t heads) {
  const int64_t size = value.size(2) / few;
  return value.unflatten(2, {few, 1, size})
      .expand({value.size(0), value.size(1), few, heads / few, size})
      .flatten(2);
}

}  // namespace hearth
