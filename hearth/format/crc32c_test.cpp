#include "hearth/format/crc32c.h"

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

namespace hearth {
namespace {

uint32_t crc_of(const std::string& text) { return crc32c(std::as_bytes(std::span(text))); }

std::string counting(bool goes_down) {
  std::string bytes(32, '\0');
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(goes_down ? 31 - i : i);
  return bytes;
}

// RFC 3720, B.4.
TEST(Crc32c, GivesThePublishedValues) {
  EXPECT_EQ(crc_of(std::string(32, '\0')), 0x8A9136AAU);
  EXPECT_EQ(crc_of(std::string(32, '\xff')), 0x62A8AB43U);
  EXPECT_EQ(crc_of(counting(false)), 0x46DD794EU);
  EXPECT_EQ(crc_of(counting(true)), 0x113FDB5CU);
  EXPECT_EQ(crc_of("123456789"), 0xE3069283U);
  EXPECT_EQ(crc_of(""), 0U);
}

TEST(Crc32c, IsMaskedAsTfrecordFilesHoldIt) {
  const std::string text = "123456789";
  const uint32_t crc = 0xE3069283U;
  EXPECT_EQ(masked_crc32c(std::as_bytes(std::span(text))), (crc >> 15 | crc << 17) + 0xA282EAD8U);
}

}  // namespace
}  // namespace hearth
