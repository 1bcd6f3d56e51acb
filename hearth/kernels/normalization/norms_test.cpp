// Layer and group normalization beside LibTorch's.
#include <ATen/ops/ones.h>

#include "hearth/kernels/comparison_test.h"
#include "hearth/kernels/normalization/group_norm.h"
#include "hearth/kernels/normalization/layer_norm.h"
#include "hearth/kernels/slope_check.h"

namespace hearth {
namespace {

class NormKernels : public ForThreads {};
INSTANTIATE_TEST_SUITE_P(Threads, NormKernels, testing::Values(1, 2));

at::Tensor layer_norm_run(Kernels kernels, const std::vector<at::Tensor>& inputs) {
  return layer_norm_rows(kernels, inputs[0], inputs[1], inputs[2], 1e-5);
}

KernelRun group_norm_run(int64_t groups) {
  return [groups](Kernels kernels, const std::vector<at::Tensor>& inputs) {
    return group_norm_images(kernels, inputs[0], inputs[1], inputs[2], {groups, 1e-5});
  };
}

TEST_P(NormKernels, OfLayersAreLikeLibTorchs) {
  ShapeDraw draw(9);
  for (int i = 0; i < 60; ++i) {
    at::manual_seed(81 + i);
    const std::vector<int64_t> sizes = {7, 8, 17, 64, 200};
    const int64_t columns = sizes[static_cast<size_t>(draw(0, 4))];
    std::vector<int64_t> shape = {draw(1, 200), columns};
    if (draw.flip()) shape.insert(shape.begin(), draw(1, 3));
    // A mean far from zero: the variance must not be eaten by it.
    expect_like_plain(layer_norm_run,
                      {at::randn(shape).mul(0.5).add(7), at::randn({columns}),
                       draw.flip() ? at::randn({columns}) : at::Tensor()},
                      std::to_string(columns) + " columns", 2e-4);
  }
}

// A row of one value is its own mean: nothing flows back.
TEST(Norms, OfOneValueAreTheBias) {
  if (!has_vector_unit()) GTEST_SKIP() << "needs AVX2 and FMA";
  at::manual_seed(85);
  const at::Tensor input = at::randn({9, 1}).set_requires_grad(true);
  const at::Tensor bias = at::randn({1});
  const at::Tensor output = layer_norm_run(Kernels::kFast, {input, at::randn({1}), bias});
  EXPECT_LT(output.detach().sub(bias).abs().max().item<double>(), 1e-6);
  output.backward(at::randn({9, 1}));
  EXPECT_LT(input.grad().abs().max().item<double>(), 1e-4);
}

TEST_P(NormKernels, OfGroupsAreLikeLibTorchs) {
  ShapeDraw draw(10);
  for (int i = 0; i < 60; ++i) {
    at::manual_seed(82 + i);
    const int64_t groups = draw(1, 5);
    const int64_t channels = groups * draw(1, 9);
    const bool has_weight = draw.flip();
    // Enough values a group: of two equal ones nothing but rounding would be left.
    const std::vector<int64_t> shape = {draw(1, 4), channels, draw(3, 9), draw(3, 9)};
    at::Tensor input = at::randn(shape).mul(0.5).add(7);
    if (draw.flip()) input = input.contiguous(at::MemoryFormat::ChannelsLast);
    expect_like_plain(group_norm_run(groups),
                      {input, has_weight ? at::randn({channels}) : at::Tensor(),
                       has_weight ? at::randn({channels}) : at::Tensor()},
                      std::to_string(channels) + " channels, " + std::to_string(groups) + " groups",
                      2e-4);
  }
}

TEST(Norms, TakeInputThatIsNotContiguous) {
  at::manual_seed(83);
  const at::Tensor wide = at::randn({6, 9, 4, 10});
  const std::vector<at::Tensor> rows = {wide.transpose(1, 3), at::randn({9}), at::randn({9})};
  EXPECT_LT(relative_difference(layer_norm_run(Kernels::kFast, rows),
                                layer_norm_run(Kernels::kPlain, rows)),
            2e-5);
  const std::vector<at::Tensor> images = {wide.slice(3, 0, 10, 3), at::randn({9}), at::randn({9})};
  EXPECT_LT(relative_difference(group_norm_run(3)(Kernels::kFast, images),
                                group_norm_run(3)(Kernels::kPlain, images)),
            2e-5);
}

TEST(Norms, HaveTheSlopesOfDifferences) {
  at::manual_seed(84);
  for (const int64_t columns : {5, 8, 19})
    expect_fast_slopes(layer_norm_run,
                       {at::randn({4, columns}), at::randn({columns}), at::randn({columns})},
                       std::to_string(columns) + " columns");
  for (const int64_t groups : {1, 3, 9})
    expect_fast_slopes(group_norm_run(groups),
                       {at::randn({2, 9, 4, 3}), at::randn({9}), at::randn({9})},
                       std::to_string(groups) + " groups");
}

}  // namespace
}  // namespace hearth
