// Dropout: its share, its scale, one mask for both directions and both paths, drawn from the
// thread's own stream.
#include "hearth/kernels/dropout/dropout.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>

#include <cmath>
#include <limits>
#include <thread>

#include "hearth/kernels/comparison_test.h"
#include "hearth/kernels/random_stream.h"

namespace hearth {
namespace {

at::Generator generator_of(uint64_t seed) { return at::make_generator<at::CPUGeneratorImpl>(seed); }

at::Tensor dropped_from(uint64_t seed, const at::Tensor& input, double p) {
  const RandomStream stream(generator_of(seed));
  return drop_values(Kernels::kFast, input, p);
}

TEST(Dropout, DropsTheSameValuesWithLibTorchsOperators) {
  for (const at::Tensor& input : {at::randn({7, 33}), at::randn({5}), at::randn({2, 3, 4, 17}),
                                  at::randn({6, 9}).transpose(0, 1)}) {
    const at::Tensor fast = dropped_from(5, input, 0.3);
    const RandomStream stream(generator_of(5));
    EXPECT_TRUE(drop_values(Kernels::kPlain, input, 0.3).equal(fast));
  }
}

TEST(Dropout, DrawsFromLibTorchsGeneratorWhereThereIsNoStream) {
  const at::Tensor input = at::randn({7, 33});
  at::manual_seed(6);
  const at::Tensor expected = drop_values(Kernels::kFast, input, 0.3);
  at::manual_seed(6);
  { const RandomStream stream(generator_of(5)); }
  EXPECT_TRUE(drop_values(Kernels::kFast, input, 0.3).equal(expected));
}

TEST(RandomStream, BelongsToItsThread) {
  const RandomStream stream(generator_of(5));
  bool has_stream = true;
  std::thread([&] { has_stream = random_generator().has_value(); }).join();
  EXPECT_FALSE(has_stream);
  EXPECT_TRUE(random_generator().has_value());
}

TEST(Dropout, GradientsPassWhereValuesWereKeptInWhicheverOrderTheyLie) {
  const at::Tensor wide = at::randn({3, 5, 40, 70});
  for (const Kernels kernels : {Kernels::kFast, Kernels::kPlain})
    for (const at::Tensor& of : {wide, wide.contiguous(at::MemoryFormat::ChannelsLast),
                                 wide.transpose(0, 2), wide.slice(3, 0, 70, 3)}) {
      const at::Tensor input = of.detach().requires_grad_(true);
      const at::Tensor output = drop_values(kernels, input, 0.5);
      output.backward(at::randn(of.sizes()));
      EXPECT_TRUE(input.grad().eq(0).equal(output.detach().eq(0)));
    }
}

TEST(Dropout, KeepsItsShareAndScalesTheRest) {
  for (const double p : {0.0, 0.1, 0.5, 0.9}) {
    const at::Tensor output = dropped_from(3, at::ones({100, 10007}), p);
    const double kept = output.ne(0).to(at::kDouble).mean().item<double>();
    EXPECT_NEAR(kept, 1 - p, 4 * std::sqrt(p * (1 - p) / 1e6) + 1e-12) << p;
    EXPECT_NEAR(output.max().item<double>(), 1 / (1 - p), 1e-6) << p;
  }
}

// Neighbours, values one row of places apart, and rows of places know nothing of each other.
TEST(Dropout, DropsEveryValueByItself) {
  const at::Tensor kept = dropped_from(4, at::ones({1 << 20}), 0.5).ne(0).to(at::kDouble).sub(0.5);
  for (const int64_t apart : {1, 2, 8, 64, 4095, 4096, 8192}) {
    const at::Tensor left = kept.slice(0, 0, kept.numel() - apart);
    const at::Tensor right = kept.slice(0, apart);
    EXPECT_LT(std::abs(left.mul(right).mean().item<double>()) * 4, 0.005) << apart;
  }
}

TEST(Dropout, FollowsFromTheSeedAloneWhateverTheThreads) {
  const at::Tensor input = at::randn({50001});
  const WithThreads one(1);
  const at::Tensor first = dropped_from(7, input, 0.3);
  EXPECT_FALSE(dropped_from(8, input, 0.3).equal(first));
  const WithThreads two(2);
  EXPECT_TRUE(dropped_from(7, input, 0.3).equal(first));
}

TEST(Dropout, KeepsWhatIsNoNumber) {
  const float none = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(dropped_from(9, at::full({37}, none), 0.5).isnan().all().item<bool>());
}

TEST(Dropout, LeavesNothingAsItIs) {
  EXPECT_EQ(drop_values(Kernels::kFast, at::ones({0, 3}), 0.5).numel(), 0);
  EXPECT_TRUE(dropped_from(1, at::ones({5}), 0).equal(at::ones({5})));
}

}  // namespace
}  // namespace hearth
