// Philox and what is drawn from it, and the keyed permutation behind every shuffle.
#include "hearth/core/random.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#include "hearth/base/error.h"

namespace hearth {

namespace {

constexpr std::array<uint32_t, 4> philox_round(const std::array<uint32_t, 4>& counter,
                                               uint32_t key0, uint32_t key1) {
  const uint64_t product0 = uint64_t{0xD2511F53} * counter[0];
  const uint64_t product1 = uint64_t{0xCD9E8D57} * counter[2];
  return {
      static_cast<uint32_t>(product1 >> 32) ^ counter[1] ^ key0, static_cast<uint32_t>(product1),
      static_cast<uint32_t>(product0 >> 32) ^ counter[3] ^ key1, static_cast<uint32_t>(product0)};
}

constexpr std::array<uint32_t, 2> philox_key(uint64_t seed) {
  return {static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32)};
}

// The Feistel round function: two multiplications mix a half of up to 32 bits with a round's key.
constexpr uint64_t feistel_mix(uint64_t half, uint64_t key) {
  uint64_t mixed = (half ^ key) * 0x9E3779B97F4A7C15ULL;
  mixed = (mixed ^ (mixed >> 32)) * 0xD6E8FEB86659FD93ULL;
  return mixed >> 32;
}

}  // namespace

std::array<uint32_t, 4> philox(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    counter = philox_round(counter, key[0], key[1]);
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter;
}

uint16_t op_number(std::string_view name) {
  uint32_t hash = 2166136261U;  // FNV-1a
  for (const char letter : name) hash = (hash ^ static_cast<uint8_t>(letter)) * 16777619U;
  return static_cast<uint16_t>(hash % kFirstReservedOp);
}

Random::Random(const RandomIdentity& identity)
    : key_(philox_key(identity.seed)),
      counter_{0, (static_cast<uint32_t>(identity.sample >> 32) << 16) | identity.op,
               static_cast<uint32_t>(identity.sample), identity.epoch} {}

uint32_t Random::bits() {
  if (used_ == 4) {
    block_ = philox(counter_, key_);
    ++counter_[0];
    used_ = 0;
  }
  return block_[static_cast<size_t>(used_++)];
}

float Random::uniform() { return static_cast<float>(bits() >> 8) * 0x1p-24F; }

uint32_t Random::below(uint32_t bound) {
  if (bound == 0) throw InternalError("random: below(0) has no value to give.");
  uint64_t product = uint64_t{bits()} * bound;
  if (static_cast<uint32_t>(product) >= bound) return static_cast<uint32_t>(product >> 32);
  const uint32_t uneven =
      (0U - bound) % bound;  // Lemire: reject the part that would be drawn too often
  while (static_cast<uint32_t>(product) < uneven) product = uint64_t{bits()} * bound;
  return static_cast<uint32_t>(product >> 32);
}

int64_t Random::between(int64_t low, int64_t high) {
  if (low > high) throw InternalError("random: between() needs low <= high.");
  const uint64_t widest = static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
  if (widest < UINT32_MAX) return low + below(static_cast<uint32_t>(widest) + 1);
  const uint64_t mask = UINT64_MAX >> std::countl_zero(widest);
  uint64_t offset = 0;
  do {
    const uint64_t upper = bits();
    offset = ((upper << 32) | bits()) & mask;
  } while (offset > widest);
  return static_cast<int64_t>(static_cast<uint64_t>(low) + offset);
}

float Random::normal() {
  const float radius = std::sqrt(-2.0F * std::log(1.0F - uniform()));
  return radius * std::cos(2.0F * std::numbers::pi_v<float> * uniform());
}

Permutation::Permutation(uint64_t size, uint64_t seed, uint64_t epoch) : size_(size) {
  if (size >> 62 != 0) throw InternalError("random: a permutation holds fewer than 2^62 items.");
  const int bits = std::max(2, static_cast<int>(std::bit_width(size > 0 ? size - 1 : 0)));
  left_bits_ = bits / 2;
  right_bits_ = bits - left_bits_;
  // Halves of a few bits mix less in a round, so they get twice as many.
  rounds_ = bits <= 8 ? round_keys_.size() : round_keys_.size() / 2;
  Random random({.seed = seed,
                 .epoch = static_cast<uint32_t>(epoch),
                 .sample = epoch >> 32,
                 .op = kShuffleOp});
  for (uint64_t& key : round_keys_) {
    const uint64_t upper = random.bits();
    key = (upper << 32) | random.bits();
  }
}

// Each half is changed by a keyed function of the other, which can be undone: so it is a bijection.
uint64_t Permutation::scramble(uint64_t value) const {
  const uint64_t left_mask = (uint64_t{1} << left_bits_) - 1;
  const uint64_t right_mask = (uint64_t{1} << right_bits_) - 1;
  uint64_t left = value >> right_bits_;
  uint64_t right = value & right_mask;
  for (size_t round = 0; round < rounds_; round += 2) {
    left ^= feistel_mix(right, round_keys_[round]) & left_mask;
    right ^= feistel_mix(left, round_keys_[round + 1]) & right_mask;
  }
  return (left << right_bits_) | right;
}

uint64_t Permutation::at(uint64_t index) const {
  if (index >= size_) throw InternalError("random: index beyond the permutation's size.");
  if (size_ == 1) return 0;
  // The domain is a power of two below 2 * size, or 4; walking on along the cycle ends inside.
  do index = scramble(index);
  while (index >= size_);
  return index;
}

}  // namespace hearth
