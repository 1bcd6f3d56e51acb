// Attention beside the plain path, over many shapes and settings.
#include "hearth/kernels/attention/attention.h"

#include <ATen/Context.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/zeros.h>

#include "hearth/kernels/comparison_test.h"

namespace hearth {
namespace {

class AttentionKernels : public ForThreads {};
INSTANTIATE_TEST_SUITE_P(Threads, AttentionKernels, testing::Values(1, 2));

TEST_P(AttentionKernels, AreLikeThePlainPathOnRandomShapes) {
  ShapeDraw draw(7);
  for (int i = 0; i < 80; ++i) {
    at::manual_seed(23 + i);
    const int64_t heads = draw(1, 4);
    const int64_t length = draw(0, 5) == 0 ? draw(60, 140) : draw(1, 20);
    const AttentionSettings settings = {heads, draw.flip(), 0};
    const std::vector<int64_t> shape = {draw(1, 3), length, 3 * heads * draw(1, 20)};
    const at::Tensor mask = draw.flip() ? at::rand({shape[0], length}).lt(0.3) : at::Tensor();
    expect_like_plain(
        [&](Kernels kernels, const std::vector<at::Tensor>& inputs) {
          return attention(kernels, inputs[0], settings, mask);
        },
        {at::randn(shape)},
        "length " + std::to_string(length) + " heads " + std::to_string(heads) +
            (settings.is_causal ? " causal" : "") + (mask.defined() ? " masked" : ""));
  }
}

TEST_P(AttentionKernels, AreLikeThePlainPathToOtherSequences) {
  // With one place to look at, gradients of queries and keys are zero but for rounding.
  ShapeDraw draw(8);
  for (int i = 0; i < 40; ++i) {
    at::manual_seed(23 + i);
    const int64_t heads = draw(1, 4);
    const int64_t width = heads * draw(1, 20);
    const int64_t batch = draw(1, 3);
    const bool is_causal = draw.flip();
    const int64_t length = draw(0, 5) == 0 ? draw(60, 140) : draw(6, 20);
    const int64_t seen = is_causal ? length : draw(6, 90);
    const AttentionSettings settings = {heads, is_causal, 0};
    const at::Tensor mask = draw.flip() ? at::rand({batch, seen}).lt(0.3) : at::Tensor();
    const bool is_paired = draw.flip();
    const at::Tensor queries = at::randn({batch, length, width});
    const at::Tensor keys = at::randn({batch, seen, is_paired ? 2 * width : width});
    const at::Tensor values = is_paired ? at::Tensor() : at::randn({batch, seen, width});
    expect_like_plain(
        [&](Kernels kernels, const std::vector<at::Tensor>& inputs) {
          if (is_paired) return cross_attention(kernels, inputs[0], inputs[1], settings, mask);
          return attention(kernels, {inputs[0], inputs[1], inputs[2], mask}, settings);
        },
        {queries, keys, values},
        "from " + std::to_string(length) + " to " + std::to_string(seen) + " heads " +
            std::to_string(heads) + (is_causal ? " causal" : "") +
            (mask.defined() ? " masked" : "") + (is_paired ? " paired" : ""));
  }
}

TEST(Attention, GivesZerosWhereNothingMayBeSeen) {
  const at::Tensor mask = at::zeros({1, 5}, at::kBool).fill_(true);
  const at::Tensor packed = at::randn({1, 5, 12}).set_requires_grad(true);
  const at::Tensor output = attention(Kernels::kFast, packed, {2, false, 0}, mask);
  EXPECT_EQ(output.abs().max().item<double>(), 0);
  output.sum().backward();
  EXPECT_EQ(packed.grad().abs().max().item<double>(), 0);
}

// With values of one, an output is the sum of the weights that were kept.
TEST(Attention, DropsTheShareItWasAskedForAndTheSameOnesInTheBackwardPass) {
  at::manual_seed(3);
  at::Tensor packed = at::randn({2, 100, 24});
  packed.slice(2, 16, 24).fill_(1);
  packed.set_requires_grad(true);
  const at::Tensor output = attention(Kernels::kFast, packed, {2, false, 0.25}, {});
  EXPECT_NEAR(output.mean().item<double>(), 1, 0.02);
  EXPECT_GT(output.detach().std().item<double>(), 0.01);
  const at::Tensor flow = at::randn(output.sizes());
  output.backward(flow);
  // The output is linear in the values: its product with the flow is theirs with their gradient.
  const double through_values =
      packed.detach().slice(2, 16, 24).mul(packed.grad().slice(2, 16, 24)).sum().item<double>();
  EXPECT_NEAR(through_values, output.detach().mul(flow).sum().item<double>(), 1e-2);
}

TEST(Attention, DropsTheSameAgainAfterTheSameSeed) {
  const at::Tensor packed = at::randn({1, 9, 12});
  auto run = [&] {
    at::manual_seed(4);
    return attention(Kernels::kFast, packed, {1, true, 0.5}, {});
  };
  const at::Tensor first = run();
  EXPECT_TRUE(first.equal(run()));
  EXPECT_FALSE(first.equal(attention(Kernels::kFast, packed, {1, true, 0.5}, {})));
}

}  // namespace
}  // namespace hearth
