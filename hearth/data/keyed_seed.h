// Seeds of their own for pieces of a whole, such as each window of an epoch.
#pragma once

#include <cstdint>
#include <string_view>

#include "hearth/core/random.h"

namespace hearth {

struct SeedPiece {
  uint64_t seed = 0;
  uint64_t epoch = 0;
  std::string_view purpose;  // other purposes have other seeds
  uint64_t piece = 0;
};

[[nodiscard]] inline uint64_t seed_of(const SeedPiece& of) {
  Random random({.seed = of.seed,
                 .epoch = static_cast<uint32_t>(of.epoch),
                 .sample = of.piece,
                 .op = op_number(of.purpose)});
  const uint64_t upper = random.bits();
  return (upper << 32) | random.bits();
}

}  // namespace hearth
