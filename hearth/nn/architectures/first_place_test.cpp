// Transformers of which only the first place is seen compute no other in their last layer: the
// answer and every gradient are those of the whole.
#include <gtest/gtest.h>

#include "hearth/nn/architectures/bert.h"
#include "hearth/nn/blocks/vit_encoder.h"
#include "hearth/nn/layer_fixture.h"

namespace hearth {
namespace {

// Both were built from one seed, with parameters of the same names: so they have the same values.
void expect_equal_gradients(const Layer& part, const Layer& whole) {
  const auto parameters = part.parameters();
  const auto all = whole.parameters();
  ASSERT_EQ(parameters.size(), all.size());
  for (size_t i = 0; i < all.size(); ++i) {
    ASSERT_EQ(parameters[i].first, all[i].first);
    ASSERT_TRUE(parameters[i].second.grad().defined()) << all[i].first;
    EXPECT_TRUE(parameters[i].second.grad().allclose(all[i].second.grad(), 1e-4, 1e-6))
        << all[i].first;
  }
}

TEST(FirstPlace, OfAPooledBertIsThatOfTheWholeSequence) {
  layers::BertOptions options{.layers = 2, .width = 8, .heads = 2, .hidden = 12, .dropout = 0};
  options.output = {"pooled"};
  const auto part = built(layers::bert(options), token_spec(6, 9));
  options.output = {"pooled", "sequence"};
  const auto whole = built(layers::bert(options), token_spec(6, 9));
  const at::Tensor tokens = random_tokens(6, 9);
  const at::Tensor pooled = (*part)(tokens);
  std::vector<at::Tensor> outputs(2);
  (*whole)(std::span(&tokens, 1), outputs);
  EXPECT_TRUE(pooled.allclose(outputs[0], 1e-5, 1e-6));
  pooled.square().sum().backward();
  outputs[0].square().sum().backward();
  expect_equal_gradients(*part, *whole);
  EXPECT_LT(part->total_work(), whole->total_work());
}

TEST(FirstPlace, OfAVisionTransformerIsThatOfTheWholeSequence) {
  layers::VitEncoderOptions options{.layers = 2, .heads = 2, .hidden = 6};
  const auto whole = built(layers::vit_encoder(options), float_spec({5, 8}));
  options.only_first = true;
  const auto part = built(layers::vit_encoder(options), float_spec({5, 8}));
  const at::Tensor input = random_batch({5, 8});
  const at::Tensor first = (*part)(input);
  const at::Tensor all = (*whole)(input);
  EXPECT_EQ(first.sizes().vec(), (std::vector<int64_t>{2, 1, 8}));
  EXPECT_TRUE(first.allclose(all.narrow(1, 0, 1), 1e-5, 1e-6));
  first.pow(3).sum().backward();
  all.narrow(1, 0, 1).pow(3).sum().backward();
  expect_equal_gradients(*part, *whole);
}

}  // namespace
}  // namespace hearth
