// Recurrent layers: names, further inputs, dropout between layers, messages.
#include <ATen/ops/tensor.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hearth/nn/layer_fixture.h"
#include "hearth/nn/layers/recurrent/gru.h"
#include "hearth/nn/layers/recurrent/lstm.h"
#include "hearth/nn/layers/recurrent/rnn.h"

namespace hearth {
namespace {

using testing::ElementsAre;

std::string fault_of(const Choice<Layer>& choice, const std::vector<Spec>& specs) {
  try {
    (void)registry<Layer>().make(choice)->build(specs, {7, "net", 0});
  } catch (const GraphError& error) {
    return error.what();
  }
  return "no fault";
}

TEST(Recurrent, HasTheNamesOfPyTorch) {
  const auto layer = built(layers::lstm({.hidden_size = 2, .num_layers = 2, .bidirectional = true}),
                           float_spec({3, 4}));
  EXPECT_THAT(names_of(layer->parameters()),
              ElementsAre("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0",
                          "weight_ih_l0_reverse", "weight_hh_l0_reverse", "bias_ih_l0_reverse",
                          "bias_hh_l0_reverse", "weight_ih_l1", "weight_hh_l1", "bias_ih_l1",
                          "bias_hh_l1", "weight_ih_l1_reverse", "weight_hh_l1_reverse",
                          "bias_ih_l1_reverse", "bias_hh_l1_reverse"));
  EXPECT_EQ(layer->parameters()[8].second.sizes(), at::IntArrayRef({8, 4}));
}

TEST(Recurrent, SaysWhatComesOut) {
  const auto layer = built(layers::gru({.hidden_size = 2,
                                        .num_layers = 3,
                                        .bidirectional = true,
                                        .output = {"state", "sequence", "last"}}),
                           float_spec({5, 4}));
  EXPECT_EQ(layer->output_specs()[0].text(), "float32 [B, 6, 2]");
  EXPECT_EQ(layer->output_specs()[1].text(), "float32 [B, 5, 4]");
  EXPECT_EQ(layer->output_specs()[2].text(), "float32 [B, 4]");
}

TEST(Recurrent, GoesOnFromTheStateItGave) {
  const Choice<Layer> choice =
      layers::lstm({.hidden_size = 3, .output = {"sequence", "state", "cell"}});
  const auto layer = registry<Layer>().make(choice);
  const std::vector<Spec> specs = {float_spec({4, 2}), float_spec({1, 3}), float_spec({1, 3})};
  (void)layer->build(specs, {7, "net", 0});
  const at::Tensor input = random_batch({4, 2});
  std::vector<at::Tensor> whole(3);
  (*layer)(std::vector<at::Tensor>{input, {}, {}}, whole);
  std::vector<at::Tensor> first(3);
  (*layer)(std::vector<at::Tensor>{input.narrow(1, 0, 2), {}, {}}, first);
  std::vector<at::Tensor> second(3);
  (*layer)(std::vector<at::Tensor>{input.narrow(1, 2, 2), first[1], first[2]}, second);
  EXPECT_TRUE(second[0].allclose(whole[0].narrow(1, 2, 2)));
  EXPECT_TRUE(second[2].allclose(whole[2]));
}

TEST(Recurrent, DropsBetweenLayersWhileTrainingOnly) {
  const at::Tensor input = random_batch({4, 2});
  const auto differs = [&](int64_t layers) {
    const auto layer = built(layers::gru({.hidden_size = 8, .num_layers = layers, .dropout = 0.5}),
                             float_spec({4, 2}));
    const bool in_training = !(*layer)(input).equal((*layer)(input));
    layer->set_training(false);
    EXPECT_TRUE((*layer)(input).equal((*layer)(input)));
    return in_training;
  };
  EXPECT_TRUE(differs(2));
  EXPECT_FALSE(differs(1));
}

TEST(Recurrent, CountsItsWork) {
  const auto layer = built(layers::rnn({.hidden_size = 3, .num_layers = 2}), float_spec({5, 4}));
  EXPECT_EQ(layer->work(), 5 * (3 * 4 + 3 * 3 + 3 * 3 + 3 * 3));
}

TEST(Recurrent, SaysWhichInputsItNeeds) {
  EXPECT_EQ(build_fault(layers::gru({.hidden_size = 3}), float_spec({4})),
            "net gru: needs a sequence [T, D], but the input is float32 [B, 4]. Put it after an "
            "embedding, or give the model a key that holds sequences.");
  EXPECT_EQ(fault_of(layers::gru({.hidden_size = 3}), {float_spec({5, 4}), float_spec({2, 3})}),
            "net gru: besides the sequence it takes a mask [5] or a length, and a first state [1, "
            "3], each once, but got float32 [B, 2, 3]. Name such keys in `in`.");
}

}  // namespace
}  // namespace hearth
