// SHA-256 against the vectors of FIPS 180.
#include "hearth/base/digest.h"

#include <gtest/gtest.h>

#include "hearth/base/error.h"

namespace hearth {

TEST(Sha256, MatchesThePublishedVectors) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

TEST(Sha256, DoesNotDependOnHowTheBytesAreCut) {
  Sha256 digest;
  digest.add("a");
  digest.add("");
  digest.add("bc");
  EXPECT_EQ(digest.finish_hex(), sha256_hex("abc"));
}

TEST(Sha256, IsUsedUpByFinish) {
  Sha256 digest;
  digest.add("abc");
  EXPECT_EQ(std::to_integer<int>(digest.finish()[0]), 0xba);
  EXPECT_THROW(digest.add("d"), InternalError);
  EXPECT_THROW((void)digest.finish(), InternalError);
}

}  // namespace hearth
