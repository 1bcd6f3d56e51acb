// Proofs of a secret, against the vectors of RFC 4231.
#include "hearth/launch/hmac.h"

#include <gtest/gtest.h>

namespace hearth {
namespace {

TEST(Hmac, GivesTheDigestsOfRfc4231) {
  EXPECT_EQ("b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
            hmac_sha256(std::string(20, '\x0b'), "Hi There"));
  EXPECT_EQ("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
            hmac_sha256("Jefe", "what do ya want for nothing?"));
  EXPECT_EQ("60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
            hmac_sha256(std::string(131, '\xaa'),
                        "Test Using Larger Than Block-Size Key - Hash Key First"));
}

TEST(Hmac, ComparesProofs) {
  EXPECT_TRUE(is_same_proof("abc", "abc"));
  EXPECT_FALSE(is_same_proof("abc", "abd"));
  EXPECT_FALSE(is_same_proof("abc", "abcd"));
}

TEST(Hmac, RandomTextIsNotTheSameTwice) {
  EXPECT_EQ(64U, random_hex(32).size());
  EXPECT_NE(random_hex(32), random_hex(32));
}

}  // namespace
}  // namespace hearth
