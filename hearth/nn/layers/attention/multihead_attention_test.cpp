// PyTorch's attention with several heads: another sequence, and masks.
#include "hearth/nn/layers/attention/multihead_attention.h"

#include <ATen/ops/ones.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "hearth/nn/layer_fixture.h"

namespace hearth {
namespace {

at::Tensor called(Layer& layer, const std::vector<at::Tensor>& inputs) {
  std::array<at::Tensor, 1> output;
  layer(inputs, output);
  return output[0];
}

std::unique_ptr<Layer> built_for(const std::vector<Spec>& inputs) {
  auto layer = registry<Layer>().make(layers::multihead_attention({.heads = 2}));
  (void)layer->build(inputs, {7, "net", 0});
  return layer;
}

TEST(MultiheadAttention, LooksAtNothingThatTheMaskHides) {
  const auto layer = built_for({float_spec({5, 8}), float_spec({3, 8}), float_spec({3})});
  const at::Tensor queries = random_batch({5, 8});
  const at::Tensor seen = random_batch({3, 8}).mul(2);
  at::Tensor mask = at::ones({2, 3});
  mask.select(1, 2).zero_();
  const at::Tensor masked = called(*layer, {queries, seen, mask});
  EXPECT_TRUE(masked.allclose(called(*layer, {queries, seen.slice(1, 0, 2), {}}), 1e-5, 1e-6));
  EXPECT_FALSE(masked.allclose(called(*layer, {queries, seen, {}}), 1e-5, 1e-6));
}

TEST(MultiheadAttention, TakesAMaskForTheSequenceItself) {
  const auto layer = built_for({float_spec({4, 8}), float_spec({4})});
  const at::Tensor value = random_batch({4, 8});
  at::Tensor mask = at::ones({2, 4});
  mask.select(1, 3).zero_();
  const at::Tensor masked = called(*layer, {value, mask}).slice(1, 0, 3);
  EXPECT_TRUE(masked.allclose(called(*layer, {value.slice(1, 0, 3), {}}), 1e-5, 1e-6));
}

TEST(MultiheadAttention, RefusesASequenceOfAnotherWidth) {
  try {
    (void)built_for({float_spec({5, 8}), float_spec({3, 6})});
    FAIL() << "It was built.";
  } catch (const GraphError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("both need one width"));
  }
}

}  // namespace
}  // namespace hearth
