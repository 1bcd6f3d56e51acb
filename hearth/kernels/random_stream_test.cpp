// Random streams: a thread's own numbers, and dropout's formula the same as LibTorch's.
#include "hearth/kernels/random_stream.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>
#include <ATen/ops/dropout.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>

#include <thread>

namespace hearth {
namespace {

at::Generator generator_of(uint64_t seed) { return at::make_generator<at::CPUGeneratorImpl>(seed); }

TEST(RandomStream, DropsTheSameValuesAsLibTorchFromTheSameSeed) {
  const at::Tensor input = at::randn({7, 33});
  at::manual_seed(5);
  const at::Tensor expected = at::dropout(input, 0.3, true);
  const RandomStream stream(generator_of(5));
  EXPECT_TRUE(drop_values(input, 0.3).equal(expected));
}

TEST(RandomStream, IsLibTorchsWhereThereIsNone) {
  const at::Tensor input = at::randn({7, 33});
  at::manual_seed(6);
  const at::Tensor expected = at::dropout(input, 0.3, true);
  at::manual_seed(6);
  { const RandomStream stream(generator_of(5)); }
  EXPECT_TRUE(drop_values(input, 0.3).equal(expected));
}

TEST(RandomStream, BelongsToItsThread) {
  const RandomStream stream(generator_of(5));
  bool has_stream = true;
  std::thread([&] { has_stream = random_generator().has_value(); }).join();
  EXPECT_FALSE(has_stream);
  EXPECT_TRUE(random_generator().has_value());
}

TEST(RandomStream, GradientsPassWhereValuesWereKept) {
  const RandomStream stream(generator_of(5));
  const at::Tensor input = at::randn({100}).set_requires_grad(true);
  const at::Tensor output = drop_values(input, 0.5);
  output.sum().backward();
  EXPECT_TRUE(input.grad().mul(input.detach()).equal(output.detach()));
}

}  // namespace
}  // namespace hearth
