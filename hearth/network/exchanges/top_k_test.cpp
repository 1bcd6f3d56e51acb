// The largest values of gradients.
#include "hearth/network/exchanges/top_k.h"

#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <atomic>

#include "hearth/network/exchange_fixture.h"
#include "hearth/network/exchanges/exact.h"

namespace hearth::exchanges {
namespace {

TEST(TopKExchange, SendsTheLargestValuesAndTheOthersLater) {
  with_two_ranks(top_k({.share = 0.3, .whole_below = 0}), [](RankExchange& ranks, Group& group) {
    const at::Tensor own = group.is_first() ? at::tensor({5.F, 1.F, -7.F, 2.F, 0.F, 3.F})
                                            : at::tensor({1.F, 2.F, -4.F, 0.F, 8.F, 3.F});
    EXPECT_TRUE(exchanged(ranks, {own})[0].equal(at::tensor({5.F, 0.F, -11.F, 0.F, 8.F, 0.F})));
    const at::Tensor nothing = at::zeros({6});
    EXPECT_TRUE(exchanged(ranks, {nothing})[0].equal(at::tensor({0.F, 2.F, 0.F, 2.F, 0.F, 6.F})));
    EXPECT_TRUE(exchanged(ranks, {nothing})[0].equal(at::tensor({1.F, 1.F, 0.F, 0.F, 0.F, 0.F})));
  });
}

TEST(TopKExchange, SendsAShareOfTheBytesAndSmallGradientsWhole) {
  std::atomic<uint64_t> sent = 0;
  with_two_ranks(top_k(), [&](RankExchange& ranks, Group& group) {
    const std::vector<at::Tensor> gradients = {at::randn({100'000}), at::randn({50})};
    (void)exchanged(ranks, gradients);
    const uint64_t before = group.sent_bytes();
    (void)exchanged(ranks, gradients);
    if (group.is_first()) sent = group.sent_bytes() - before;
  });
  EXPECT_NEAR(static_cast<double>(sent), 1000 * 8 + 50 * 4, 50);
}

TEST(TopKExchange, SmallGradientsHaveTheBitsOfExactOnes) {
  with_ranks(3, [](Group& group) {
    RankExchange ranks(group, 3, registry<Exchange>().make(top_k()));
    RankExchange truth(group, 3);
    const at::Tensor own = at::randn({99}).mul(group.rank() + 1).to(at::kDouble);
    EXPECT_TRUE(exchanged(ranks, {own})[0].equal(exchanged(truth, {own})[0]));
  });
}

TEST(TopKExchange, IsExactInItsFirstSteps) {
  with_two_ranks(top_k({.share = 0.1, .whole_below = 0, .exact_steps = 2}),
                 [](RankExchange& ranks, Group&) {
                   const at::Tensor ones = at::zeros({20}).add(1);
                   for (int step = 0; step < 2; ++step)
                     EXPECT_TRUE(exchanged(ranks, {ones})[0].equal(ones.mul(2)));
                   EXPECT_EQ(exchanged(ranks, {ones})[0].sum().item<double>(), 4);
                 });
}

}  // namespace
}  // namespace hearth::exchanges
