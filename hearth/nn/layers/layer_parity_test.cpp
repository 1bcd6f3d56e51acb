// The same outputs, gradients and statistics as PyTorch's layers.
#include "tests/parity/layer_parity.h"

namespace hearth {
namespace {

TEST(Layers, GiveTheSameNumbersAsPythonsTorch) { expect_layer_parity("layers.json", 19); }

TEST(Layers, OfShapesAndActivationsGiveTheSameNumbersAsPythonsTorch) {
  expect_layer_parity("activations.json", 67);
}

TEST(Layers, OfAttentionAndBlocksForImagesGiveTheSameNumbersAsPythonsTorch) {
  expect_layer_parity("vision.json", 12);
}

}  // namespace
}  // namespace hearth
