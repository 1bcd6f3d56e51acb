// Layer norm, gelu, embedding, attention and the transformer's block: gradients, names, messages.
#include <ATen/ops/tensor.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hearth/nn/blocks/transformer_block.h"
#include "hearth/nn/layer_fixture.h"
#include "hearth/nn/layers/activation/gelu.h"
#include "hearth/nn/layers/attention/self_attention.h"
#include "hearth/nn/layers/embedding.h"
#include "hearth/nn/layers/normalization/layer_norm.h"
#include "hearth/nn/layers/pooling/mean_pool.h"

namespace hearth {
namespace {

using testing::ElementsAre;

TEST(LayerNorm, GradientsMatchDifferences) {
  expect_gradients_of(layers::layer_norm(), {3, 4});
  expect_gradients_of(layers::layer_norm({.bias = false}), {4});
}

TEST(LayerNorm, LeavesTheBiasOutWhenTold) {
  EXPECT_THAT(names_of(built(layers::layer_norm({.bias = false}), float_spec({4}))->parameters()),
              ElementsAre("weight"));
  expect_spec(layers::layer_norm(), {3, 4}, {3, 4});
}

TEST(Gelu, GradientsMatchDifferences) {
  expect_gradients_of(layers::gelu(), {3, 4});
  expect_gradients_of(layers::gelu({.approximate = "tanh"}), {3, 4});
}

TEST(Embedding, GradientsMatchDifferences) {
  const auto layer = built(layers::embedding({.size = 3}), token_spec(4, 5));
  expect_layer_gradients(*layer, random_tokens(4, 5));
}

TEST(Embedding, LooksUpTheRowOfEveryToken) {
  const auto layer = built(layers::embedding({.entries = 6, .size = 3}), token_spec(2, 5));
  const at::Tensor weight = layer->parameters()[0].second;
  EXPECT_EQ(weight.size(0), 6);
  EXPECT_EQ(layer->output_spec().text(), "float32 [B, 2, 3]");
  const at::Tensor output = (*layer)(at::tensor({4, 1}, at::kLong).reshape({1, 2}));
  EXPECT_TRUE(output[0][0].equal(weight[4]));
  EXPECT_TRUE(output[0][1].equal(weight[1]));
}

TEST(Embedding, SaysWhichInputItNeeds) {
  EXPECT_EQ(build_fault(layers::embedding({.size = 3}), float_spec({4})),
            "net embedding: needs tokens, int64 [T], but the input is float32 [B, 4]. Give the "
            "model a key that holds tokens, for instance `input: tokens`.");
  EXPECT_EQ(build_fault(layers::embedding({.size = 3}), token_spec(4, 0)),
            "net embedding: the number of different tokens is not known, the data does not say it. "
            "Set the option entries.");
}

TEST(SelfAttention, GradientsMatchDifferences) {
  expect_gradients_of(layers::self_attention({.heads = 2}), {3, 4});
  expect_gradients_of(layers::self_attention({.heads = 1, .causal = false, .dropout = 0.3}),
                      {3, 2});
}

TEST(SelfAttention, LooksOnlyBackWhenCausal) {
  const auto changes_first = [](bool causal) {
    const auto layer =
        built(layers::self_attention({.heads = 2, .causal = causal}), float_spec({3, 4}));
    const at::Tensor input = random_batch({3, 4});
    const at::Tensor before = (*layer)(input).select(1, 0);
    input.select(1, 2).add_(1);
    return !(*layer)(input).select(1, 0).allclose(before);
  };
  EXPECT_FALSE(changes_first(true));
  EXPECT_TRUE(changes_first(false));
}

TEST(SelfAttention, DropsOnlyWhileTraining) {
  const auto layer =
      built(layers::self_attention({.heads = 2, .dropout = 0.5}), float_spec({3, 4}));
  const at::Tensor input = random_batch({3, 4});
  EXPECT_FALSE((*layer)(input).equal((*layer)(input)));
  layer->set_training(false);
  EXPECT_TRUE((*layer)(input).equal((*layer)(input)));
}

TEST(SelfAttention, CountsItsWork) {
  const auto layer =
      built(layers::self_attention({.heads = 2, .causal = false}), float_spec({3, 4}));
  EXPECT_EQ(layer->work(), 2 * 3 * 3 * 4);
  EXPECT_EQ(layer->total_work(), 2 * 3 * 3 * 4 + 3 * 4 * (12 + 4));
  EXPECT_EQ(built(layers::self_attention({.heads = 2}), float_spec({3, 4}))->work(), 2 * 6 * 4);
}

TEST(SelfAttention, SaysWhichInputItNeeds) {
  EXPECT_EQ(build_fault(layers::self_attention({.heads = 3}), float_spec({5, 4})),
            "net self_attention: needs a width that 3 heads share evenly, but the input is float32 "
            "[B, 5, 4]. Change heads or the width.");
  EXPECT_EQ(build_fault(layers::self_attention({.heads = 1}), float_spec({4})),
            "net self_attention: needs a sequence [T, D], but the input is float32 [B, 4]. Put it "
            "after an embedding, or give the model a key that holds sequences.");
}

// A sequence of three places, and a mask that leaves its last place out.
struct MaskedSequence {
  Spec mask_spec() const {
    Spec spec;
    spec.dtype = DType::kBool;
    spec.shape = {3};
    return spec;
  }
  at::Tensor run(const Choice<Layer>& choice, const at::Tensor& given) const {
    const std::vector<Spec> specs = {float_spec({3, 4}), mask_spec()};
    const auto layer = registry<Layer>().make(choice);
    (void)layer->build(specs, {7, "net", 0});
    const std::vector<at::Tensor> inputs = {sequence, given};
    at::Tensor output;
    (*layer)(inputs, std::span(&output, 1));
    return output;
  }
  at::Tensor sequence = random_batch({3, 4});
  at::Tensor mask = at::tensor({1, 1, 0}, at::kLong).ne(0).expand({2, 3}).contiguous();
};

TEST(Mask, HidesPlacesFromAttentionAndTheMean) {
  const MaskedSequence masked;
  for (const Choice<Layer>& choice : {layers::self_attention({.heads = 2, .causal = false}),
                                      layers::transformer_block({.heads = 2, .causal = false})}) {
    MaskedSequence changed;
    changed.sequence.select(1, 2).add_(1);
    const at::Tensor before = masked.run(choice, masked.mask).narrow(1, 0, 2);
    EXPECT_TRUE(before.allclose(changed.run(choice, masked.mask).narrow(1, 0, 2)));
    EXPECT_FALSE(before.allclose(changed.run(choice, masked.mask.ne(2)).narrow(1, 0, 2)));
  }
  EXPECT_TRUE(masked.run(layers::mean_pool(), masked.mask)
                  .allclose(masked.sequence.narrow(1, 0, 2).mean(1)));
}

TEST(Mask, MayBeMissing) {
  const MaskedSequence masked;
  for (const Choice<Layer>& choice : {layers::self_attention({.heads = 2}), layers::mean_pool()}) {
    const auto layer = built(choice, float_spec({3, 4}));
    EXPECT_TRUE(masked.run(choice, {}).equal((*layer)(masked.sequence)));
  }
}

TEST(Mask, HasOneValueForEachPlace) {
  const auto layer = registry<Layer>().make(layers::self_attention({.heads = 2}));
  const std::vector<Spec> specs = {float_spec({3, 4}), float_spec({5})};
  try {
    (void)layer->build(specs, {7, "net", 0});
    FAIL();
  } catch (const GraphError& error) {
    EXPECT_STREQ(error.what(),
                 "net self_attention: takes a sequence and at most a mask for its 3 places, [T], "
                 "but the second input is float32 [B, 5]. Name the key that says where the "
                 "sequence has something.");
  }
}

TEST(TransformerBlock, GradientsMatchDifferences) {
  expect_gradients_of(layers::transformer_block({.heads = 2, .dropout = 0.2, .hidden_factor = 2}),
                      {3, 4});
}

TEST(TransformerBlock, HasTheNamesOfNanoGpt) {
  const auto layer = built(layers::transformer_block({.heads = 2}), float_spec({3, 4}));
  EXPECT_THAT(
      names_of(layer->parameters()),
      ElementsAre("ln_1.weight", "ln_1.bias", "attn.c_attn.weight", "attn.c_attn.bias",
                  "attn.c_proj.weight", "attn.c_proj.bias", "ln_2.weight", "ln_2.bias",
                  "mlp.c_fc.weight", "mlp.c_fc.bias", "mlp.c_proj.weight", "mlp.c_proj.bias"));
  expect_spec(layers::transformer_block({.heads = 2}), {3, 4}, {3, 4});
}

}  // namespace
}  // namespace hearth
