// Counter-based random numbers: what a sample sees is a pure function of (seed, epoch, sample, op).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hearth {

// Philox4x32-10 of Salmon et al.: one block of four words for a key and a counter.
[[nodiscard]] std::array<uint32_t, 4> philox(std::array<uint32_t, 4> counter,
                                             std::array<uint32_t, 2> key);

// What a stream of random numbers belongs to. All fields go into key and counter unhashed, so two
// different identities never share a block.
struct RandomIdentity {
  uint64_t seed = 0;
  uint32_t epoch = 0;
  uint64_t sample = 0;  // 48 bits are used
  uint16_t op = 0;
};

// Numbers from here on belong to the engine itself.
inline constexpr uint16_t kFirstReservedOp = 0xFF00;
inline constexpr uint16_t kReplaceOp = 0xFFFE;  // which sample stands in for a broken one
inline constexpr uint16_t kShuffleOp = 0xFFFF;  // the order of an epoch

// A stable number for an op's name, so that adding an op does not change the others' draws.
[[nodiscard]] uint16_t op_number(std::string_view name);

class Random {
 public:
  explicit Random(const RandomIdentity& identity);
  [[nodiscard]] uint32_t bits();
  [[nodiscard]] float uniform();                             // [0, 1)
  [[nodiscard]] uint32_t below(uint32_t bound);              // [0, bound), without bias
  [[nodiscard]] int64_t between(int64_t low, int64_t high);  // [low, high]
  [[nodiscard]] float normal();                              // mean 0, deviation 1

 private:
  std::array<uint32_t, 2> key_;
  std::array<uint32_t, 4> counter_;
  std::array<uint32_t, 4> block_{};
  int used_ = 4;
};

// A keyed permutation of [0, size), computed per index: no table, any index in O(1).
class Permutation {
 public:
  Permutation(uint64_t size, uint64_t seed, uint64_t epoch);
  [[nodiscard]] uint64_t at(uint64_t index) const;
  [[nodiscard]] uint64_t size() const { return size_; }

 private:
  [[nodiscard]] uint64_t scramble(uint64_t value) const;
  uint64_t size_;
  int left_bits_ = 1;
  int right_bits_ = 1;
  size_t rounds_ = 0;
  std::array<uint64_t, 16> round_keys_{};
};

}  // namespace hearth
