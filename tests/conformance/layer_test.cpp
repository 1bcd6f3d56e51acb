// Every layer: its output is what its spec says, its gradients match differences, and Hearth's own
// kernels give what LibTorch's operators give.
#include <cmath>

#include "tests/conformance/layer_cases.h"

namespace hearth {
namespace {

// Differences to look at in one layer, spread over all its tensors: large models have too many.
constexpr int64_t kDifferences = 240;

class EveryLayer : public LayerCaseTest {};
class EveryLayersValues : public LayerCaseTest {};

TEST_P(EveryLayer, GivesWhatItsSpecSays) {
  const auto layer = built_layer(Kernels::kFast);
  const at::Tensor output = (*layer)(batch());
  EXPECT_EQ(output.size(0), kCaseBatch);
  EXPECT_EQ(output.sizes().slice(1).vec(), layer->output_spec().shape);
}

TEST_P(EveryLayersValues, HasTheGradientsOfDifferences) {
  if (!tried().differences) GTEST_SKIP() << "changes what flows back";
  const auto layer = built_layer(Kernels::kPlain);
  expect_layer_gradients(*layer, batch(), tried().tolerance, /*of_large=*/1, kDifferences);
}

void expect_close(const at::Tensor& value, const at::Tensor& truth, double tolerance,
                  const std::string& name) {
  ASSERT_TRUE(value.defined()) << name;
  const double largest = truth.abs().max().item<double>();
  EXPECT_LE(value.sub(truth).abs().max().item<double>(), tolerance * std::max(largest, 1e-2))
      << name;
}

TEST_P(EveryLayersValues, GivesThePlainResultsWithFastKernels) {
  const auto plain = built_layer(Kernels::kPlain);
  const auto fast = built_layer(Kernels::kFast);
  const at::Tensor plain_input = batch();
  const at::Tensor fast_input = batch();
  const double tolerance = std::max(1e-4, 10 * tried().tolerance);
  gradient_check_loss(*plain, plain_input).backward();
  gradient_check_loss(*fast, fast_input).backward();
  const std::vector<NamedTensor> expected = learning_tensors(*plain, plain_input);
  const std::vector<NamedTensor> found = learning_tensors(*fast, fast_input);
  for (size_t i = 0; i < expected.size(); ++i)
    expect_close(found[i].second.grad(), expected[i].second.grad(), tolerance,
                 "gradient of " + expected[i].first);
  for (size_t i = 0; i < plain->buffers().size(); ++i)
    expect_close(fast->buffers()[i].second.to(at::kDouble),
                 plain->buffers()[i].second.to(at::kDouble), tolerance, plain->buffers()[i].first);
  plain->set_training(false);
  fast->set_training(false);
  expect_close((*fast)(fast_input), (*plain)(plain_input), tolerance, "the output");
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryLayer, testing::ValuesIn(layer_cases()), kCaseName);
INSTANTIATE_TEST_SUITE_P(Registry, EveryLayersValues, testing::ValuesIn(small_layer_cases()),
                         kCaseName);

}  // namespace
}  // namespace hearth
