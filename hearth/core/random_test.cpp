#include "hearth/core/random.h"

#include <cmath>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "hearth/base/error.h"

namespace hearth {
namespace {

using Words = std::array<uint32_t, 4>;

TEST(Philox, GivesThePublishedKnownAnswers) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}),
            (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Random, PutsTheIdentityIntoKeyAndCounterUnhashed) {
  Random random({.seed = 0x1122334455667788, .epoch = 7, .sample = 0xABCD12345678, .op = 0x0042});
  const Words first = philox({0, 0xABCD0042, 0x12345678, 7}, {0x55667788, 0x11223344});
  const Words second = philox({1, 0xABCD0042, 0x12345678, 7}, {0x55667788, 0x11223344});
  for (const uint32_t word : first) EXPECT_EQ(random.bits(), word);
  for (const uint32_t word : second) EXPECT_EQ(random.bits(), word);
}

TEST(Random, UniformIsTheTop24Bits) {
  Random bits({.seed = 3});
  Random random({.seed = 3});
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(random.uniform(), std::ldexp(static_cast<float>(bits.bits() >> 8), -24));
}

TEST(Random, BelowIsEvenOverABoundThatIsNoPowerOfTwo) {
  Random random({.seed = 1});
  std::array<int, 7> counts{};
  for (int i = 0; i < 70'000; ++i) ++counts[random.below(7)];
  for (const int count : counts) EXPECT_NEAR(count, 10'000, 400);
}

// With a bound of 3 * 2^30 a plain multiply-and-shift gives every third value twice as often.
TEST(Random, BelowHasNoBiasAtALargeBound) {
  Random random({.seed = 5});
  std::array<int, 3> counts{};
  for (int i = 0; i < 60'000; ++i) ++counts[random.below(3U << 30) % 3];
  for (const int count : counts) EXPECT_NEAR(count, 20'000, 500);
}

TEST(Random, BetweenReachesBothEndsAndWideRanges) {
  Random random({.seed = 2});
  std::set<int64_t> seen;
  for (int i = 0; i < 200; ++i) seen.insert(random.between(-2, 2));
  EXPECT_EQ(seen, (std::set<int64_t>{-2, -1, 0, 1, 2}));
  for (int i = 0; i < 100; ++i) EXPECT_GE(random.between(-10, INT64_MAX), -10);
  EXPECT_EQ(random.between(9, 9), 9);
  EXPECT_THROW((void)random.between(1, 0), InternalError);
  EXPECT_THROW((void)random.below(0), InternalError);
}

TEST(Random, NormalHasMeanZeroAndDeviationOne) {
  Random random({.seed = 4});
  double sum = 0;
  double squares = 0;
  constexpr int kDraws = 100'000;
  for (int i = 0; i < kDraws; ++i) {
    const double value = random.normal();
    ASSERT_TRUE(std::isfinite(value));
    sum += value;
    squares += value * value;
  }
  EXPECT_NEAR(sum / kDraws, 0, 0.02);
  EXPECT_NEAR(squares / kDraws, 1, 0.02);
}

TEST(OpNumber, IsStableAndLeavesTheEnginesNumbersAlone) {
  EXPECT_EQ(op_number(""), 2166136261U % kFirstReservedOp);
  EXPECT_NE(op_number("normalize"), op_number("random_shift"));
  for (int i = 0; i < 1000; ++i) EXPECT_LT(op_number("op" + std::to_string(i)), kFirstReservedOp);
}

bool is_bijection(uint64_t size, uint64_t seed, uint64_t epoch) {
  const Permutation order(size, seed, epoch);
  std::vector<bool> seen(size);
  for (uint64_t i = 0; i < size; ++i) {
    const uint64_t value = order.at(i);
    if (value >= size || seen[value]) return false;
    seen[value] = true;
  }
  return true;
}

TEST(Permutation, IsABijectionAtEverySizeAroundPowersOfTwo) {
  for (const uint64_t size : {0, 1, 2, 3}) EXPECT_TRUE(is_bijection(size, 11, 0)) << size;
  for (int k = 1; k <= 14; ++k)
    for (const int64_t near : {-1, 0, 1}) {
      const auto size = static_cast<uint64_t>((int64_t{1} << k) + near);
      EXPECT_TRUE(is_bijection(size, 11, 1)) << size;
    }
}

TEST(Permutation, ChangesWithEpochAndSeed) {
  const Permutation first(1000, 1, 0);
  const Permutation next(1000, 1, 1);
  const Permutation far(1000, 1, uint64_t{1} << 32);
  const Permutation other(1000, 2, 0);
  std::array<int, 3> same{};
  for (uint64_t i = 0; i < 1000; ++i) {
    same[0] += first.at(i) == next.at(i);
    same[1] += first.at(i) == far.at(i);
    same[2] += first.at(i) == other.at(i);
  }
  for (const int count : same) EXPECT_LT(count, 12);
}

// Over many epochs every item must come to every position equally often.
void expect_even_positions(uint64_t size) {
  constexpr int kEpochs = 20'000;
  std::vector<int> counts(size * size);
  for (uint64_t epoch = 0; epoch < kEpochs; ++epoch) {
    const Permutation order(size, 99, epoch);
    for (uint64_t i = 0; i < size; ++i) ++counts[i * size + order.at(i)];
  }
  const double expected = static_cast<double>(kEpochs) / static_cast<double>(size);
  double chi_square = 0;
  for (const int count : counts) chi_square += (count - expected) * (count - expected) / expected;
  const auto freedom = static_cast<double>((size - 1) * (size - 1));
  EXPECT_LT(chi_square, freedom + 4.5 * std::sqrt(2 * freedom) + 4) << "size " << size;
}

TEST(Permutation, PutsEveryItemAtEveryPositionEquallyOften) {
  for (const uint64_t size : {2, 3, 5, 8, 13, 16}) expect_even_positions(size);
}

TEST(Permutation, NeighboursDoNotStayNeighbours) {
  const Permutation order(10'000, 7, 3);
  int neighbours = 0;
  for (uint64_t i = 0; i + 1 < 10'000; ++i)
    neighbours += std::llabs(static_cast<long long>(order.at(i + 1) - order.at(i))) == 1;
  EXPECT_LT(neighbours, 12);
}

TEST(Permutation, RefusesAnIndexBeyondItsSize) {
  EXPECT_THROW((void)Permutation(3, 0, 0).at(3), InternalError);
}

}  // namespace
}  // namespace hearth
