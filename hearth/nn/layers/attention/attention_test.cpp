// The general attention: names, places, and messages.
#include "hearth/nn/layers/attention/attention.h"

#include <ATen/ops/tensor.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hearth/nn/attention_places.h"
#include "hearth/nn/layer_fixture.h"

namespace hearth {
namespace {

TEST(GeneralAttention, HasProjectionsOfItsOwn) {
  const auto layer = built(layers::attention({.heads = 4, .key_value_heads = 2, .bias = false}),
                           float_spec({3, 8}));
  EXPECT_THAT(
      names_of(layer->parameters()),
      testing::ElementsAre("q_proj.weight", "k_proj.weight", "v_proj.weight", "out_proj.weight"));
  EXPECT_EQ(layer->parameters()[1].second.sizes(), at::IntArrayRef({4, 8}));
}

TEST(GeneralAttention, SeesNoFurtherThanItsWindow) {
  const auto layer =
      built(layers::attention({.heads = 2, .causal = true, .window = 2}), float_spec({5, 4}));
  const at::Tensor input = random_batch({5, 4});
  const at::Tensor before = (*layer)(input);
  input.select(1, 1).add_(1);
  const at::Tensor changed = (*layer)(input).sub(before).abs().amax({0, 2}).gt(0);
  EXPECT_TRUE(changed.equal(at::tensor({0, 1, 1, 0, 0}).ne(0)));
}

TEST(GeneralAttention, CountsOnlyThePairsInItsWindow) {
  EXPECT_EQ(seen_pairs(5, 5, false), 25);
  EXPECT_EQ(seen_pairs(5, 5, true), 15);
  EXPECT_EQ(seen_pairs(5, 5, false, 2), 13);
  EXPECT_EQ(seen_pairs(5, 5, true, 2), 9);
  EXPECT_EQ(seen_pairs(3, 6, false, 100), 18);
  const auto layer =
      built(layers::attention({.heads = 2, .causal = true, .window = 2}), float_spec({5, 4}));
  EXPECT_EQ(layer->total_work(), 4 * 5 * 4 * 4 + 2 * 4 * 9);
}

// Turned queries and keys know how far apart they are, not where.
TEST(Rotary, MakesScoresOfDistances) {
  at::manual_seed(2);
  const at::Tensor rows = at::randn({1, 1, 8}, at::kDouble).expand({1, 6, 8});
  const at::Tensor turned = turned_by_place(rows, 2, 10000);
  const at::Tensor scores = turned.matmul(turned.transpose(1, 2))[0];
  EXPECT_TRUE(
      scores.narrow(0, 0, 5).narrow(1, 0, 5).allclose(scores.narrow(0, 1, 5).narrow(1, 1, 5)));
  EXPECT_FALSE(scores[0].allclose(scores[1]));
  EXPECT_TRUE(turned.norm(2, -1).allclose(rows.norm(2, -1)));
}

TEST(GeneralAttention, SaysWhichInputsItNeeds) {
  EXPECT_EQ(build_fault(layers::attention({.heads = 3}), float_spec({5, 4})),
            "net attention: needs a width that 3 heads share evenly, but the input is float32 [B, "
            "5, 4]. Change heads or the width.");
  EXPECT_EQ(build_fault(layers::attention({.heads = 2, .cross = true}), float_spec({5, 4})),
            "net attention: looks at a second sequence, but has one input. Name both in `in`, or "
            "leave out cross.");
  EXPECT_EQ(build_fault(layers::attention({.heads = 2, .rotary = true}), float_spec({5, 6})),
            "net.heads dot_product_attention: needs an even number of values for each of 2 heads, "
            "but the input is float32 [B, 5, 6]. Change heads or the width.");
}

}  // namespace
}  // namespace hearth
