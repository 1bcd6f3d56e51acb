// Convolutions, pools, norms and dropouts beside PyTorch's and torchvision's.
#include "tests/parity/layer_parity.h"

namespace hearth {
namespace {

TEST(GridLayers, GiveTheSameNumbersAsPythonsTorch) { expect_layer_parity("grid_layers.json", 85); }

}  // namespace
}  // namespace hearth
