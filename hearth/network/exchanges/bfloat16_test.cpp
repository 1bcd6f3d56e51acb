// Gradients in bfloat16.
#include "hearth/network/exchanges/bfloat16.h"

#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <limits>

#include "hearth/network/exchange_fixture.h"
#include "hearth/network/exchanges/exact.h"

namespace hearth::exchanges {
namespace {

uint64_t bytes_of(const Choice<Exchange>& exchange) {
  std::atomic<uint64_t> sent = 0;
  with_two_ranks(exchange, [&](RankExchange& ranks, Group& group) {
    (void)exchanged(ranks, {at::zeros({100'000})});
    const uint64_t before = group.sent_bytes();
    (void)exchanged(ranks, {at::zeros({100'000})});
    if (group.is_first()) sent = group.sent_bytes() - before;
  });
  return sent;
}

TEST(Bfloat16Exchange, SendsHalfOfTheBytesThereAndBack) {
  const auto exact = static_cast<double>(bytes_of(exchanges::exact()));
  EXPECT_NEAR(exact, 400'000, 1000);
  EXPECT_NEAR(static_cast<double>(bytes_of(bfloat16())) / exact, 0.5, 0.01);
}

// The total of what 1 + 2^-10, of which bfloat16 knows 1, comes to on two ranks.
double total_of(bool feedback, int64_t steps) {
  std::atomic<double> total = 0;
  with_two_ranks(bfloat16({.feedback = feedback}), [&](RankExchange& ranks, Group& group) {
    for (int64_t step = 0; step < steps; ++step) {
      const at::Tensor sum = exchanged(ranks, {at::full({1}, 1 + std::ldexp(1, -10))})[0];
      if (group.is_first()) total = total + sum.item<double>();
    }
  });
  return total;
}

TEST(Bfloat16Exchange, SendsWhatRoundingTookAwayInLaterSteps) {
  EXPECT_NEAR(total_of(true, 64), 128 * (1 + std::ldexp(1, -10)), std::ldexp(1, -6));
  EXPECT_EQ(total_of(false, 64), 128);
}

TEST(Bfloat16Exchange, GivesUpWhatIsNotFinite) {
  with_two_ranks(bfloat16(), [](RankExchange& ranks, Group&) {
    const double infinity = std::numeric_limits<double>::infinity();
    EXPECT_TRUE(std::isinf(exchanged(ranks, {at::full({1}, infinity)})[0].item<double>()));
    EXPECT_EQ(exchanged(ranks, {at::full({1}, 3.0)})[0].item<double>(), 6);
  });
}

}  // namespace
}  // namespace hearth::exchanges
