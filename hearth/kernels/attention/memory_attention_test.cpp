// Attention that looks back at remembered places: the same as attention over whole sequences.
#include "hearth/kernels/attention/memory_attention.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/zeros.h>

#include "hearth/kernels/attention/attention.h"
#include "hearth/kernels/comparison_test.h"

namespace hearth {
namespace {

class MemoryAttention : public ForThreads {};
INSTANTIATE_TEST_SUITE_P(Threads, MemoryAttention, testing::Values(1, 2));

struct MemoryCase {
  int64_t key_heads, sharing, size, value_size, length;
  [[nodiscard]] int64_t heads() const { return key_heads * sharing; }
};

// New places of a sequence in pieces, remembered in row 1 of a memory.
at::Tensor piece_by_piece(Kernels kernels, const MemoryCase& c, const NewPlaces& whole,
                          const std::vector<int64_t>& pieces) {
  const at::AutoGradMode no_gradients(false);
  const auto options = whole.keys.options();
  KnownPlaces known{at::zeros({3, c.key_heads, c.length, c.size}, options),
                    at::zeros({3, c.key_heads, c.length, c.value_size}, options),
                    {},
                    {}};
  std::vector<at::Tensor> seen;
  int64_t place = 0;
  for (const int64_t count : pieces) {
    const std::vector<int64_t> rows = {1};
    const std::vector<int64_t> places = {place};
    known.rows = rows;
    known.places = places;
    NewPlaces fresh = whole;
    for (at::Tensor* part : {&fresh.queries, &fresh.keys, &fresh.values})
      *part = part->narrow(1, place, count);
    seen.push_back(attention_to_memory(kernels, fresh, known));
    place += count;
  }
  return at::cat(seen, 1);
}

NewPlaces random_places(const MemoryCase& c, at::ScalarType type) {
  return {at::randn({1, c.length, c.heads() * c.size}).to(type),
          at::randn({1, c.length, c.key_heads * c.size}).to(type),
          at::randn({1, c.length, c.key_heads * c.value_size}).to(type), c.heads(), c.key_heads};
}

NewPlaces to_double(NewPlaces places) {
  for (at::Tensor* part : {&places.queries, &places.keys, &places.values})
    *part = part->to(at::kDouble);
  return places;
}

TEST_P(MemoryAttention, IsLikeThePlainPathHoweverThePlacesCome) {
  ShapeDraw draw(11);
  for (int i = 0; i < 60; ++i) {
    at::manual_seed(5 + i);
    const MemoryCase c{draw(1, 3), draw(1, 3), draw(1, 40), draw(1, 80),
                       draw(0, 5) == 0 ? draw(60, 140) : draw(1, 20)};
    const NewPlaces whole = random_places(c, at::kFloat);
    const int64_t first = draw(1, c.length);
    std::vector<int64_t> pieces = {first};
    pieces.insert(pieces.end(), static_cast<size_t>(c.length - first), 1);
    const at::Tensor truth = piece_by_piece(Kernels::kPlain, c, to_double(whole), {c.length});
    const at::Tensor fast = piece_by_piece(Kernels::kFast, c, whole, pieces);
    EXPECT_LT(relative_difference(fast, truth), 2e-5);
    EXPECT_LT(relative_difference(piece_by_piece(Kernels::kPlain, c, whole, pieces), truth), 2e-5);
    if (!has_vector_unit()) continue;  // LibTorch's products, whose sums depend on their size
    EXPECT_TRUE(fast.equal(piece_by_piece(Kernels::kFast, c, whole, {c.length})));
  }
}

TEST(AttentionToMemory, IsCausalAttentionOfTheWholeSequence) {
  const MemoryCase c{4, 1, 8, 8, 12};
  at::manual_seed(1);
  const NewPlaces whole = to_double(random_places(c, at::kFloat));
  const at::Tensor packed = at::cat({whole.queries, whole.keys, whole.values}, 2);
  const at::Tensor expected = attention(Kernels::kPlain, packed, {4, true, 0}, {});
  EXPECT_LT(relative_difference(piece_by_piece(Kernels::kPlain, c, whole, {5, 4, 3}), expected),
            1e-12);
}

TEST(AttentionToMemory, GivesASequenceTheSameBitsBesideOthersOfOtherLengths) {
  const at::AutoGradMode no_gradients(false);
  at::manual_seed(2);
  const at::Tensor keys = at::randn({2, 2, 9, 16});
  const at::Tensor values = at::randn({2, 2, 9, 16});
  NewPlaces both = random_places({2, 2, 16, 16, 1}, at::kFloat);
  for (at::Tensor* part : {&both.queries, &both.keys, &both.values})
    *part = at::cat({*part, part->mul(0.5)});
  const std::vector<int64_t> rows = {1, 0};
  const std::vector<int64_t> places = {8, 3};
  const at::Tensor together =
      attention_to_memory(Kernels::kFast, both, {keys.clone(), values.clone(), rows, places});
  for (int64_t b = 0; b < 2; ++b) {
    NewPlaces one = both;
    for (at::Tensor* part : {&one.queries, &one.keys, &one.values}) *part = part->narrow(0, b, 1);
    const auto at_b = static_cast<size_t>(b);
    const at::Tensor alone =
        attention_to_memory(Kernels::kFast, one,
                            {keys.clone(), values.clone(), std::span(rows).subspan(at_b, 1),
                             std::span(places).subspan(at_b, 1)});
    EXPECT_TRUE(alone.equal(together.narrow(0, b, 1)));
  }
}

}  // namespace
}  // namespace hearth
