// Layer norm, gelu, embedding, attention and the transformer's block: gradients, names, messages.
#include <ATen/ops/tensor.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hearth/nn/layer_fixture.h"
#include "hearth/nn/layers/embedding.h"
#include "hearth/nn/layers/gelu.h"
#include "hearth/nn/layers/layer_norm.h"
#include "hearth/nn/layers/self_attention.h"
#include "hearth/nn/layers/transformer_block.h"

namespace hearth {
namespace {

using testing::ElementsAre;

TEST(LayerNorm, GradientsMatchDifferences) {
  expect_gradients_of(layer_norm(), {3, 4});
  expect_gradients_of(layer_norm({.bias = false}), {4});
}

TEST(LayerNorm, LeavesTheBiasOutWhenTold) {
  EXPECT_THAT(names_of(built(layer_norm({.bias = false}), float_spec({4}))->parameters()),
              ElementsAre("weight"));
  expect_spec(layer_norm(), {3, 4}, {3, 4});
}

TEST(Gelu, GradientsMatchDifferences) {
  expect_gradients_of(gelu(), {3, 4});
  expect_gradients_of(gelu({.approximate = "tanh"}), {3, 4});
}

TEST(Embedding, GradientsMatchDifferences) {
  const auto layer = built(embedding({.size = 3}), token_spec(4, 5));
  expect_gradients(*layer, random_tokens(4, 5));
}

TEST(Embedding, LooksUpTheRowOfEveryToken) {
  const auto layer = built(embedding({.entries = 6, .size = 3}), token_spec(2, 5));
  const at::Tensor weight = layer->parameters()[0].second;
  EXPECT_EQ(weight.size(0), 6);
  EXPECT_EQ(layer->output_spec().text(), "float32 [B, 2, 3]");
  const at::Tensor output = (*layer)(at::tensor({4, 1}, at::kLong).reshape({1, 2}));
  EXPECT_TRUE(output[0][0].equal(weight[4]));
  EXPECT_TRUE(output[0][1].equal(weight[1]));
}

TEST(Embedding, SaysWhichInputItNeeds) {
  EXPECT_EQ(build_fault(embedding({.size = 3}), float_spec({4})),
            "net embedding: needs tokens, int64 [T], but the input is float32 [B, 4]. Give the "
            "model a key that holds tokens, for instance `input: tokens`.");
  EXPECT_EQ(build_fault(embedding({.size = 3}), token_spec(4, 0)),
            "net embedding: the number of different tokens is not known, the data does not say it. "
            "Set the option entries.");
}

TEST(SelfAttention, GradientsMatchDifferences) {
  expect_gradients_of(self_attention({.heads = 2}), {3, 4});
  expect_gradients_of(self_attention({.heads = 1, .causal = false, .dropout = 0.3}), {3, 2});
}

TEST(SelfAttention, LooksOnlyBackWhenCausal) {
  const auto changes_first = [](bool causal) {
    const auto layer = built(self_attention({.heads = 2, .causal = causal}), float_spec({3, 4}));
    const at::Tensor input = random_batch({3, 4});
    const at::Tensor before = (*layer)(input).select(1, 0);
    input.select(1, 2).add_(1);
    return !(*layer)(input).select(1, 0).allclose(before);
  };
  EXPECT_FALSE(changes_first(true));
  EXPECT_TRUE(changes_first(false));
}

TEST(SelfAttention, DropsOnlyWhileTraining) {
  const auto layer = built(self_attention({.heads = 2, .dropout = 0.5}), float_spec({3, 4}));
  const at::Tensor input = random_batch({3, 4});
  EXPECT_FALSE((*layer)(input).equal((*layer)(input)));
  layer->set_training(false);
  EXPECT_TRUE((*layer)(input).equal((*layer)(input)));
}

TEST(SelfAttention, CountsItsWork) {
  const auto layer = built(self_attention({.heads = 2, .causal = false}), float_spec({3, 4}));
  EXPECT_EQ(layer->work(), 2 * 3 * 3 * 4);
  EXPECT_EQ(layer->total_work(), 2 * 3 * 3 * 4 + 3 * 4 * (12 + 4));
  EXPECT_EQ(built(self_attention({.heads = 2}), float_spec({3, 4}))->work(), 2 * 6 * 4);
}

TEST(SelfAttention, SaysWhichInputItNeeds) {
  EXPECT_EQ(build_fault(self_attention({.heads = 3}), float_spec({5, 4})),
            "net self_attention: needs a width that 3 heads share evenly, but the input is float32 "
            "[B, 5, 4]. Change heads or the width.");
  EXPECT_EQ(build_fault(self_attention({.heads = 1}), float_spec({4})),
            "net self_attention: needs a sequence [T, D], but the input is float32 [B, 4]. Put it "
            "after an embedding, or give the model a key that holds sequences.");
}

TEST(TransformerBlock, GradientsMatchDifferences) {
  expect_gradients_of(transformer_block({.heads = 2, .dropout = 0.2, .hidden_factor = 2}), {3, 4});
}

TEST(TransformerBlock, HasTheNamesOfNanoGpt) {
  const auto layer = built(transformer_block({.heads = 2}), float_spec({3, 4}));
  EXPECT_THAT(
      names_of(layer->parameters()),
      ElementsAre("ln_1.weight", "ln_1.bias", "attn.c_attn.weight", "attn.c_attn.bias",
                  "attn.c_proj.weight", "attn.c_proj.bias", "ln_2.weight", "ln_2.bias",
                  "mlp.c_fc.weight", "mlp.c_fc.bias", "mlp.c_proj.weight", "mlp.c_proj.bias"));
  expect_spec(transformer_block({.heads = 2}), {3, 4}, {3, 4});
}

}  // namespace
}  // namespace hearth
