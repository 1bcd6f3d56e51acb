// Attention of new places of sequences to themselves and to the places before.
#include "hearth/kernels/attention/memory_attention.h"

#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/stack.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "hearth/kernels/attention/attention_passes.h"
#include "hearth/kernels/attention/weighted_rows_avx2.h"
#include "hearth/kernels/product/row_products.h"

namespace hearth {
namespace {

// Multiply-adds that are worth a thread.
constexpr int64_t kMemoryGrain = 100'000;

// [N, heads * size] as [heads, N, size].
at::Tensor head_by_head(const at::Tensor& flat, int64_t heads) {
  return flat.reshape({flat.size(0), heads, flat.size(1) / heads}).transpose(0, 1);
}

void remember_plainly(at::Tensor row, int64_t place, const at::Tensor& flat) {
  row.narrow(1, place, flat.size(0)).copy_(head_by_head(flat, row.size(0)));
}

at::Tensor attend_plainly(const NewPlaces& fresh, const KnownPlaces& known, int64_t b) {
  const int64_t before = known.places[static_cast<size_t>(b)];
  const int64_t row = known.rows[static_cast<size_t>(b)];
  const int64_t count = fresh.queries.size(1);
  remember_plainly(known.keys[row], before, fresh.keys[b]);
  remember_plainly(known.values[row], before, fresh.values[b]);
  const int64_t sharing = fresh.heads / fresh.key_heads;
  const auto all = [&](const at::Tensor& memory) {
    const at::Tensor places = memory[row].narrow(1, 0, before + count).unsqueeze(1);
    return places.expand({-1, sharing, -1, -1}).flatten(0, 1);
  };
  const at::Tensor queries = head_by_head(fresh.queries[b], fresh.heads);
  const at::Tensor later =
      at::ones({count, before + count}, queries.options().dtype(at::kBool)).triu(before + 1);
  const at::Tensor scores = at::matmul(queries, all(known.keys).transpose(-2, -1))
                                .mul(1 / std::sqrt(static_cast<double>(queries.size(2))))
                                .masked_fill(later, -std::numeric_limits<double>::infinity());
  return at::matmul(at::softmax(scores, -1), all(known.values)).transpose(0, 1).flatten(1);
}

at::Tensor plain_attention_to_memory(const NewPlaces& fresh, const KnownPlaces& known) {
  std::vector<at::Tensor> seen;
  for (int64_t b = 0; b < fresh.queries.size(0); ++b)
    seen.push_back(attend_plainly(fresh, known, b));
  return at::stack(seen);
}

// Values of new places, of one head of one sequence.
struct FreshRows {
  FreshRows(const at::Tensor& flat, int64_t heads, int64_t sequence, int64_t head)
      : size(flat.size(2) / heads),
        stride(flat.stride(1)),
        values(flat.data_ptr<float>() + sequence * flat.stride(0) + head * size) {}
  [[nodiscard]] const float* at(int64_t place) const { return values + place * stride; }
  int64_t size;
  int64_t stride;
  const float* values;
};

// One head of what a sequence remembers: place after place.
float* known_head(const at::Tensor& memory, int64_t row, int64_t head) {
  return memory.data_ptr<float>() + row * memory.stride(0) + head * memory.stride(1);
}

void remember_head(const FreshRows& fresh, int64_t count, float* behind) {
  for (int64_t n = 0; n < count; ++n) std::copy_n(fresh.at(n), fresh.size, behind + n * fresh.size);
}

// What one query sees of `places` places.
void attend_place(const float* query, int64_t size, const float* keys, const float* values,
                  int64_t value_size, int64_t places, float* scratch, float* seen) {
  float* scaled = scratch;
  float* scores = scratch + size;
  const float scale = 1 / std::sqrt(static_cast<float>(size));
  for (int64_t k = 0; k < size; ++k) scaled[k] = query[k] * scale;
  multiply_rows({scaled, 1, size}, {keys, places, size}, size, scores, places);
  attention_passes().softmax(scores, places, 1);
  sum_weighted_rows_avx2(scores, places, values, value_size, seen);
}

at::Tensor fast_attention_to_memory(const NewPlaces& fresh, const KnownPlaces& known) {
  const int64_t count = fresh.queries.size(1);
  const int64_t size = known.keys.size(3);
  const int64_t value_size = known.values.size(3);
  const int64_t sharing = fresh.heads / fresh.key_heads;
  const int64_t longest = count + *std::max_element(known.places.begin(), known.places.end());
  const at::Tensor output =
      at::empty({fresh.queries.size(0), count, fresh.heads * value_size}, fresh.queries.options());
  const int64_t work = sharing * count * longest * (size + value_size);
  const int64_t grain = std::max<int64_t>(1, kMemoryGrain / work);
  at::parallel_for(0, output.size(0) * fresh.key_heads, grain, [&](int64_t from, int64_t to) {
    std::vector<float> scratch(static_cast<size_t>(size + longest));
    for (int64_t item = from; item < to; ++item) {
      const int64_t b = item / fresh.key_heads;
      const int64_t key_head = item % fresh.key_heads;
      const int64_t before = known.places[static_cast<size_t>(b)];
      float* keys = known_head(known.keys, known.rows[static_cast<size_t>(b)], key_head);
      float* values = known_head(known.values, known.rows[static_cast<size_t>(b)], key_head);
      remember_head({fresh.keys, fresh.key_heads, b, key_head}, count, keys + before * size);
      remember_head({fresh.values, fresh.key_heads, b, key_head}, count,
                    values + before * value_size);
      for (int64_t head = key_head * sharing; head < (key_head + 1) * sharing; ++head) {
        const FreshRows queries(fresh.queries, fresh.heads, b, head);
        for (int64_t n = 0; n < count; ++n)
          attend_place(
              queries.at(n), size, keys, values, value_size, before + n + 1, scratch.data(),
              output.data_ptr<float>() + ((b * count + n) * fresh.heads + head) * value_size);
      }
    }
  });
  return output;
}

bool fits(Kernels kernels, const at::Tensor& flat, const at::Tensor& memory) {
  return goes_fast(kernels, flat) && flat.dim() == 3 && flat.stride(2) == 1 && flat.numel() > 0 &&
         goes_fast(kernels, memory) && memory.is_contiguous();
}

}  // namespace

at::Tensor attention_to_memory(Kernels kernels, const NewPlaces& fresh, const KnownPlaces& known) {
  if (fits(kernels, fresh.queries, known.keys) && fits(kernels, fresh.keys, known.keys) &&
      fits(kernels, fresh.values, known.values))
    return fast_attention_to_memory(fresh, known);
  return plain_attention_to_memory(fresh, known);
}

}  // namespace hearth
