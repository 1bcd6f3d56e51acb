// gpt: gradients, names, first values, a tied head.
#include "hearth/nn/architectures/gpt.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "hearth/nn/layer_fixture.h"

namespace hearth {
namespace {

layers::GptOptions tiny_gpt() { return {.layers = 1, .width = 4, .heads = 2}; }

TEST(Gpt, GradientsMatchDifferences) {
  layers::GptOptions options = tiny_gpt();
  options.dropout = 0.2;
  const auto layer = built(layers::gpt(options), token_spec(3, 5));
  expect_layer_gradients(*layer, random_tokens(3, 5));
}

TEST(Gpt, GradientsMatchDifferencesWithATiedHead) {
  layers::GptOptions options = tiny_gpt();
  options.tied = true;
  const auto layer = built(layers::gpt(options), token_spec(3, 5));
  expect_layer_gradients(*layer, random_tokens(3, 5));
}

TEST(Gpt, ScoresEveryTokenAtEveryPlace) {
  const auto layer = built(gpt(tiny_gpt()), token_spec(3, 5));
  EXPECT_EQ(layer->output_spec().text(), "float32 [B, 5, 3], 5 classes");
  EXPECT_EQ((*layer)(random_tokens(3, 5)).sizes().vec(), (std::vector<int64_t>{2, 5, 3}));
}

TEST(Gpt, HasTheNamesOfNanoGpt) {
  const auto names = names_of(built(gpt(tiny_gpt()), token_spec(3, 5))->parameters());
  ASSERT_EQ(names.size(), 17U);
  EXPECT_EQ(names[0], "wte.weight");
  EXPECT_EQ(names[1], "wpe.weight");
  EXPECT_EQ(names[2], "h.0.ln_1.weight");
  EXPECT_EQ(names[12], "h.0.mlp.c_proj.weight");
  EXPECT_THAT(std::vector(names.end() - 3, names.end()),
              testing::ElementsAre("ln_f.weight", "ln_f.bias", "lm_head.weight"));
}

TEST(Gpt, SavesATiedHeadOnce) {
  layers::GptOptions options = tiny_gpt();
  options.tied = true;
  const auto layer = built(layers::gpt(options), token_spec(3, 5));
  EXPECT_EQ(names_of(layer->parameters()).back(), "ln_f.bias");
  (*layer)(random_tokens(3, 5)).square().sum().backward();
  EXPECT_TRUE(layer->parameters()[0].second.grad().defined());
  EXPECT_EQ(layer->total_work(), built(gpt(tiny_gpt()), token_spec(3, 5))->total_work());
}

TEST(Gpt, StartsFromSmallValuesThatDependOnTheSeed) {
  const layers::GptOptions options = {.layers = 8, .width = 64};
  const auto layer = built(layers::gpt(options), token_spec(4, 50));
  for (const auto& [name, tensor] : layer->parameters()) {
    if (name.ends_with("bias")) {
      EXPECT_EQ(tensor.abs().max().item<double>(), 0) << name;
    }
    if (tensor.dim() < 2) continue;
    const double expected = name.ends_with("c_proj.weight") ? 0.02 / 4 : 0.02;
    EXPECT_NEAR(tensor.std().item<double>(), expected, 0.15 * expected) << name;
  }
  const auto same = built(layers::gpt(options), token_spec(4, 50));
  const auto other = built(layers::gpt(options), token_spec(4, 50), {8, "net", 0});
  EXPECT_TRUE(layer->parameters()[0].second.equal(same->parameters()[0].second));
  EXPECT_FALSE(layer->parameters()[0].second.equal(other->parameters()[0].second));
}

TEST(Gpt, SaysWhichInputItNeeds) {
  layers::GptOptions options = tiny_gpt();
  options.length = 2;
  EXPECT_EQ(build_fault(layers::gpt(options), token_spec(3, 5)),
            "net gpt: needs at most 2 tokens, but the input is int64 [B, 3], 5 classes. Use a "
            "larger length, or leave it out to take the input's.");
  EXPECT_EQ(build_fault(layers::gpt(), token_spec(3, 0)),
            "net gpt: the number of different tokens is not known, the data does not say it. Set "
            "the option vocabulary.");
}

TEST(Gpt, RefusesHeadsThatDoNotDivideTheWidth) {
  EXPECT_THROW((void)built(layers::gpt({.width = 10, .heads = 4}), token_spec(3, 5)), ConfigError);
}

}  // namespace
}  // namespace hearth
