#include "hearth/base/fast_digest.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace hearth {
namespace {

uint64_t digest_of_text(std::string_view text) {
  FastDigest digest;
  digest.add(text);
  return digest.value();
}

TEST(FastDigest, TellsEveryFlippedBitApart) {
  for (size_t size : {1U, 31U, 32U, 33U, 100U}) {
    std::string text(size, 'a');
    std::set<uint64_t> seen = {digest_of_text(text)};
    for (size_t bit = 0; bit < size * 8; ++bit) {
      text[bit / 8] = static_cast<char>(text[bit / 8] ^ (1 << (bit % 8)));
      EXPECT_TRUE(seen.insert(digest_of_text(text)).second) << size << " " << bit;
      text[bit / 8] = static_cast<char>(text[bit / 8] ^ (1 << (bit % 8)));
    }
  }
}

TEST(FastDigest, TellsLengthsAndOrdersApart) {
  std::set<uint64_t> seen;
  for (size_t size = 0; size < 100; ++size)
    EXPECT_TRUE(seen.insert(digest_of_text(std::string(size, '\0'))).second) << size;
  FastDigest one;
  one.add("a");
  one.add("b");
  FastDigest other;
  other.add("b");
  other.add("a");
  EXPECT_NE(one.value(), other.value());
  EXPECT_EQ(one.hex().size(), 16U);
}

}  // namespace
}  // namespace hearth
