// Weight files know nothing of kernels: what one run saved, a run with the others loads.
#include <filesystem>

#include "hearth/train/checkpoint.h"
#include "tests/kernels/five_networks.h"

namespace hearth {
namespace {

class WeightFiles : public FiveNetworks {
 protected:
  static void expect_exchange(Kernels writer, Kernels reader) {
    const fs::path file = fs::path(testing::TempDir()) / ("exchange-" + GetParam());
    Training saved(GetParam(), writer);
    (void)saved.steps(20);
    write_state(file, saved.model().weights(), kWeightsKind);
    Training loaded(GetParam(), reader);
    const at::Tensor first = loaded.logits(50, 12);
    loaded.model().restore_weights(read_state(file, kWeightsKind));
    fs::remove(file);
    const at::Tensor expected = saved.logits(50, 12);
    const double scale = expected.abs().max().item<double>();
    EXPECT_LT(loaded.logits(50, 12).sub(expected).abs().max().item<double>(), 1e-4 * scale);
    EXPECT_GT(first.sub(expected).abs().max().item<double>(), 1e-2 * scale);
  }
};

TEST_P(WeightFiles, OfAFastRunServeAPlainOne) { expect_exchange(Kernels::kFast, Kernels::kPlain); }

TEST_P(WeightFiles, OfAPlainRunServeAFastOne) { expect_exchange(Kernels::kPlain, Kernels::kFast); }

INSTANTIATE_TEST_SUITE_P(Networks, WeightFiles, testing::ValuesIn(five_names()),
                         [](const auto& tested) { return tested.param; });

}  // namespace
}  // namespace hearth
