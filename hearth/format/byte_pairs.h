// Byte pairs as GPT-2 publishes them: vocab.json with the tokens' numbers, merges.txt with the
// rules.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hearth {

struct BytePairs {
  struct Merge {
    int32_t rank = 0;   // lower ones come first
    int32_t token = 0;  // what the two become
  };
  std::vector<std::string> tokens;             // their bytes, by number
  std::array<int32_t, 256> of_byte{};          // the token of a single byte
  std::unordered_map<uint64_t, Merge> merges;  // by `pair_key`
};

[[nodiscard]] inline uint64_t pair_key(int32_t left, int32_t right) {
  return static_cast<uint64_t>(static_cast<uint32_t>(left)) << 32 | static_cast<uint32_t>(right);
}

// A file of the pair: its content, and what messages call it.
struct NamedText {
  std::string_view text;
  std::string name;
};

// DataError names file and line: numbers that are not 0, 1, 2... once each, a byte without a token,
// a rule whose parts or result are no tokens.
[[nodiscard]] BytePairs parse_byte_pairs(const NamedText& vocab, const NamedText& merges);

}  // namespace hearth
