// Gradients as products of thin matrices.
#include "hearth/network/exchanges/power_sgd.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>
#include <ATen/ops/outer.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <atomic>
#include <limits>

#include "hearth/network/exchange_fixture.h"

namespace hearth::exchanges {
namespace {

const Choice<Exchange> kThin = power_sgd({.rank = 2, .gain = 1});

// Of rank 2, whichever rank's it is.
at::Tensor matrix_of(int rank) {
  const at::Tensor up = at::arange(1, 13).to(at::kFloat);
  const at::Tensor wave = at::arange(9).to(at::kFloat).sin();
  return at::outer(up, wave).add(at::outer(wave.new_ones({12}), wave.flip(0)), rank - 0.3);
}

void expect_close(const at::Tensor& found, const at::Tensor& truth) {
  EXPECT_LT(found.sub(truth).norm().item<double>(), 1e-5 * truth.norm().item<double>());
}

TEST(PowerSgdExchange, HasNothingToLeaveOfAMatrixOfItsRank) {
  with_two_ranks(kThin, [](RankExchange& ranks, Group& group) {
    const at::Tensor truth = matrix_of(0).add(matrix_of(1));
    for (int step = 0; step < 3; ++step)
      expect_close(exchanged(ranks, {matrix_of(group.rank())})[0], truth);
  });
}

TEST(PowerSgdExchange, SendsThinMatricesAndTheRestWhole) {
  std::atomic<uint64_t> sent = 0;
  with_two_ranks(power_sgd({.rank = 3}), [&](RankExchange& ranks, Group& group) {
    const std::vector<at::Tensor> gradients = {at::randn({200, 10, 3, 3}), at::randn({77}),
                                               at::randn({4, 5})};
    (void)exchanged(ranks, gradients);
    const uint64_t before = group.sent_bytes();
    (void)exchanged(ranks, gradients);
    if (group.is_first()) sent = group.sent_bytes() - before;
  });
  EXPECT_NEAR(static_cast<double>(sent), (3 * (200 + 90) + 77 + 20) * 4, 30);
}

TEST(PowerSgdExchange, ComesBackFromGradientsThatAreNothing) {
  with_two_ranks(kThin, [](RankExchange& ranks, Group& group) {
    for (int step = 0; step < 2; ++step) (void)exchanged(ranks, {at::zeros({12, 9})});
    expect_close(exchanged(ranks, {matrix_of(group.rank())})[0], matrix_of(0).add(matrix_of(1)));
  });
}

TEST(PowerSgdExchange, ComesBackFromGradientsThatAreNotFinite) {
  with_two_ranks(kThin, [](RankExchange& ranks, Group& group) {
    const double infinity = std::numeric_limits<double>::infinity();
    const at::Tensor broken = at::full({12, 9}, group.is_first() ? 1.0 : infinity);
    EXPECT_FALSE(exchanged(ranks, {broken})[0].isfinite().any().item<bool>());
    expect_close(exchanged(ranks, {matrix_of(group.rank())})[0], matrix_of(0).add(matrix_of(1)));
  });
}

at::Tensor first_of(int64_t seed) {
  at::Tensor found;
  with_two_ranks(power_sgd({.rank = 1, .gain = 1, .seed = seed}),
                 [&](RankExchange& ranks, Group& group) {
                   const at::Tensor sum = exchanged(ranks, {matrix_of(0)})[0];
                   if (group.is_first()) found = sum;
                 });
  return found;
}

TEST(PowerSgdExchange, BeginsWithTheDirectionsOfItsSeed) {
  EXPECT_TRUE(first_of(3).equal(first_of(3)));
  EXPECT_FALSE(first_of(3).equal(first_of(4)));
}

}  // namespace
}  // namespace hearth::exchanges
