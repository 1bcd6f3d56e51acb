// The same bits: in two runs, with evaluations in between, with a model that was copied, and as the
// plain kernels where there is no vector unit.
#include "hearth/kernels/memory/memory_cache.h"
#include "hearth/train/checkpoint.h"
#include "tests/kernels/five_networks.h"

namespace hearth {
namespace {

std::string digest_after(const std::string& name, Kernels kernels, int steps) {
  Training training(name, kernels);
  (void)training.steps(steps);
  return digest_of(training.model().state());
}

class SameBits : public FiveNetworks {};

TEST_P(SameBits, InTwoRuns) {
  EXPECT_EQ(digest_after(GetParam(), Kernels::kFast, 30),
            digest_after(GetParam(), Kernels::kFast, 30));
}

TEST_P(SameBits, AsPlainOnlyWithoutAVectorUnit) {
  const bool is_same =
      digest_after(GetParam(), Kernels::kFast, 4) == digest_after(GetParam(), Kernels::kPlain, 4);
  EXPECT_EQ(is_same, !has_vector_unit());
}

// Evaluation computes with the averages of the weights, on batches of more sizes than a layer keeps
// methods for.
std::string digest_with_evaluations(const std::string& name, bool evaluates) {
  Training training(name, Kernels::kFast, 0.9);
  for (int i = 0; i < 12; ++i) {
    (void)training.step();
    for (int64_t size = 1; evaluates && i % 4 == 1 && size <= 8; ++size)
      (void)training.logits(i, size);
  }
  return digest_of(training.model().state());
}

TEST_P(SameBits, WithEvaluationsInTheMiddleOfTraining) {
  install_memory_cache();
  const std::string evaluated = digest_with_evaluations(GetParam(), true);
  const std::string straight = digest_with_evaluations(GetParam(), false);
  uninstall_memory_cache();
  EXPECT_EQ(evaluated, straight);
}

TEST_P(SameBits, FromACopyOfTheState) {
  Training original(GetParam(), Kernels::kFast);
  Training clone(GetParam(), Kernels::kFast);
  (void)original.steps(3);
  (void)clone.steps(3);
  (void)original.steps(2);
  const State state = copy(original.model().state());
  const at::Tensor before = original.logits(9, 5);
  (void)original.steps(1);
  (void)clone.steps(2);  // other weights than the original's, which the copy replaces
  clone.model().restore(state);
  EXPECT_TRUE(clone.logits(9, 5).equal(before));
  (void)clone.steps(1);
  EXPECT_EQ(digest_of(clone.model().state()), digest_of(original.model().state()));
}

INSTANTIATE_TEST_SUITE_P(Networks, SameBits, testing::ValuesIn(five_names()),
                         [](const auto& tested) { return tested.param; });

}  // namespace
}  // namespace hearth
