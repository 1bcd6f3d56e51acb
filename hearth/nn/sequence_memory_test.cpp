// Models that remember: new places alone give what whole sequences give.
#include "hearth/nn/sequence_memory.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <thread>

#include "hearth/nn/architectures/gpt.h"
#include "hearth/nn/architectures/transformer.h"
#include "hearth/nn/blocks/transformer_block.h"
#include "hearth/nn/layer_fixture.h"
#include "hearth/nn/layers/attention/self_attention.h"
#include "hearth/nn/layers/composition/graph.h"
#include "hearth/nn/layers/composition/use.h"

namespace hearth {
namespace {

constexpr int64_t kLength = 12;
constexpr int64_t kTokenCount = 7;

class RememberingModel : public testing::Test {
 protected:
  RememberingModel() {
    layers::GptOptions options;
    options.layers = 2;
    options.width = 24;
    options.heads = 3;
    model_ = built(layers::gpt(options), token_spec(kLength, kTokenCount));
    model_->set_training(false);
    at::manual_seed(4);
    for (const auto& [name, tensor] : model_->parameters())
      tensor.add_(at::randn(tensor.sizes()).mul(0.1));
  }

  at::Tensor tokens(int64_t seed, int64_t count = kLength) {
    at::manual_seed(static_cast<uint64_t>(seed));
    return at::randint(kTokenCount, {1, count}, at::kLong);
  }
  // Scores after the last place, of everything computed at once.
  at::Tensor whole(const at::Tensor& sequence) {
    return (*model_)(sequence).select(2, sequence.size(1) - 1);
  }
  at::Tensor remembered(SequenceMemory& memory, std::vector<int64_t> sequences,
                        const at::Tensor& fresh) {
    at::Tensor scores;
    memory.remember(std::move(sequences), fresh.size(1), [&] { scores = (*model_)(fresh); });
    return scores.select(2, scores.size(2) - 1);
  }
  static void expect_same(const at::Tensor& found, const at::Tensor& expected) {
    EXPECT_LT(found.sub(expected).abs().max().item<double>(),
              1e-5 * expected.abs().max().item<double>());
  }

  at::AutoGradMode no_gradients_{false};
  std::unique_ptr<Layer> model_;
};

TEST_F(RememberingModel, GivesTheScoresOfTheWholeSequenceAtEveryPlace) {
  const at::Tensor sequence = tokens(1);
  SequenceMemory memory(1, kLength);
  expect_same(remembered(memory, {0}, sequence.narrow(1, 0, 4)), whole(sequence.narrow(1, 0, 4)));
  for (int64_t place = 4; place < kLength; ++place)
    expect_same(remembered(memory, {0}, sequence.narrow(1, place, 1)),
                whole(sequence.narrow(1, 0, place + 1)));
  EXPECT_EQ(memory.places(0), kLength);
}

TEST_F(RememberingModel, KeepsSequencesOfDifferentLengthsApart) {
  const at::Tensor first = tokens(1, 9);
  const at::Tensor second = tokens(2, 4);
  SequenceMemory memory(3, kLength);
  (void)remembered(memory, {2}, first.narrow(1, 0, 8));
  (void)remembered(memory, {0}, second.narrow(1, 0, 3));
  const at::Tensor fresh = at::cat({first.narrow(1, 8, 1), second.narrow(1, 3, 1)});
  const at::Tensor scores = remembered(memory, {2, 0}, fresh);
  expect_same(scores[0], whole(first)[0]);
  expect_same(scores[1], whole(second)[0]);
}

TEST_F(RememberingModel, CopiesAndForgetsSequences) {
  const at::Tensor sequence = tokens(3, 6);
  SequenceMemory memory(2, kLength);
  (void)remembered(memory, {0}, sequence.narrow(1, 0, 5));
  memory.copy(0, 1);
  memory.forget(0);
  (void)remembered(memory, {0}, tokens(5, 5));
  expect_same(remembered(memory, {1}, sequence.narrow(1, 5, 1)), whole(sequence));
  EXPECT_EQ(memory.places(0), 5);
}

TEST_F(RememberingModel, RemembersNothingOfACallThatFailed) {
  const at::Tensor sequence = tokens(3, 6);
  SequenceMemory memory(1, kLength);
  (void)remembered(memory, {0}, sequence.narrow(1, 0, 5));
  EXPECT_THROW((void)remembered(memory, {0}, at::tensor({99}, at::kLong).unsqueeze(0)), GraphError);
  EXPECT_EQ(SequenceMemory::current(), nullptr);
  expect_same(remembered(memory, {0}, sequence.narrow(1, 5, 1)), whole(sequence));
}

TEST_F(RememberingModel, IsNothingToOtherThreads) {
  SequenceMemory memory(1, kLength);
  SequenceMemory* seen = &memory;
  memory.remember({0}, 1, [&] {
    EXPECT_EQ(SequenceMemory::current(), &memory);
    std::jthread([&] { seen = SequenceMemory::current(); }).join();
  });
  EXPECT_EQ(seen, nullptr);
}

TEST_F(RememberingModel, HasNoMoreRoomThanItWasMadeWith) {
  SequenceMemory memory(1, 3);
  EXPECT_THROW((void)remembered(memory, {0}, tokens(1, 4)), InternalError);
}

// Both calls look back at what the layer saw in the same call.
TEST(SequenceMemory, KeepsTheCallsOfOneLayerApart) {
  const at::AutoGradMode no_gradients(false);
  layers::GraphOptions twice;
  twice.nodes = {named(layers::self_attention({.heads = 2}), "attend"),
                 layers::use({.layer = "attend"})};
  const auto layer = built(layers::graph(twice), float_spec({5, 8}));
  layer->set_training(false);
  const at::Tensor input = random_batch({5, 8});
  SequenceMemory memory(2, 5);
  at::Tensor output;
  for (int64_t place = 0; place < 5; ++place)
    memory.remember({0, 1}, 1, [&] { output = (*layer)(input.narrow(1, place, 1)); });
  EXPECT_TRUE(output.allclose((*layer)(input).narrow(1, 4, 1), 1e-4, 1e-5));
}

// Two sequences look at one text, which is read once.
TEST(SequenceMemory, LetsNewPlacesOfATransformerLookAtWhatIsGiven) {
  const at::AutoGradMode no_gradients(false);
  const auto model = registry<Layer>().make(layers::transformer(
      {.width = 8, .heads = 2, .encoder_layers = 2, .decoder_layers = 2, .dim_feedforward = 12}));
  const std::vector<Spec> specs = {token_spec(4, 7), token_spec(6, 7)};
  (void)model->build(specs, {7, "net", 0});
  model->set_training(false);
  int64_t reads = 0;
  model->tree().find_child("encoder")->add_hook_after([&](const Layer&, at::Tensor&) { ++reads; });
  const at::Tensor source = at::tensor({1, 5, 2, 4}, at::kLong).unsqueeze(0);
  const at::Tensor written = random_tokens(6, 7);
  const auto scores = [&](const at::Tensor& read, const at::Tensor& tokens) {
    std::vector<at::Tensor> outputs(1);
    const std::vector<at::Tensor> inputs = {read, tokens};
    (*model)(inputs, outputs);
    return outputs[0];
  };
  const at::Tensor whole = scores(source.expand({2, 4}), written);
  SequenceMemory memory(2, 6);
  memory.give({source});
  reads = 0;
  at::Tensor found;
  for (int64_t place = 0; place < 6; ++place) {
    memory.remember({0, 1}, 1, [&] { found = scores(source, written.narrow(1, place, 1)); });
    EXPECT_TRUE(found.select(2, 0).allclose(whole.select(2, place), 1e-4, 1e-5)) << place;
  }
  EXPECT_EQ(reads, 1);
}

TEST(PlaceNumbers, ComeAfterWhatIsRemembered) {
  EXPECT_TRUE(place_numbers(at::zeros({2, 3})).equal(at::tensor({0, 1, 2}, at::kLong)));
  SequenceMemory memory(2, 8);
  memory.remember({1}, 4, [] {});
  memory.remember({0, 1}, 2, [] {
    EXPECT_TRUE(place_numbers(at::zeros({2, 2}))
                    .equal(at::tensor({0, 1, 4, 5}, at::kLong).reshape({2, 2})));
  });
}

}  // namespace
}  // namespace hearth
