// CRC-32C by eight tables, eight bytes at a time.
#include "hearth/format/crc32c.h"

#include <array>

namespace hearth {

namespace {

using CrcTables = std::array<std::array<uint32_t, 256>, 8>;

constexpr CrcTables make_crc_tables() {
  constexpr uint32_t kReflectedPolynomial = 0x82F63B78;
  CrcTables tables{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? kReflectedPolynomial : 0);
    tables[0][byte] = crc;
  }
  for (size_t k = 1; k < tables.size(); ++k)
    for (size_t byte = 0; byte < 256; ++byte)
      tables[k][byte] = tables[k - 1][byte] >> 8 ^ tables[0][tables[k - 1][byte] & 0xFF];
  return tables;
}

constexpr CrcTables kCrcTables = make_crc_tables();

}  // namespace

uint32_t crc32c(std::span<const std::byte> bytes) {
  const auto* at = reinterpret_cast<const uint8_t*>(bytes.data());
  size_t left = bytes.size();
  uint32_t crc = ~0U;
  for (; left >= 8; left -= 8, at += 8) {
    uint32_t mixed = 0;
    for (size_t i = 0; i < 4; ++i) {
      mixed ^= kCrcTables[7 - i][at[i] ^ (crc >> 8 * i & 0xFF)];
      mixed ^= kCrcTables[3 - i][at[4 + i]];
    }
    crc = mixed;
  }
  for (; left > 0; --left, ++at) crc = crc >> 8 ^ kCrcTables[0][(crc ^ *at) & 0xFF];
  return ~crc;
}

uint32_t masked_crc32c(std::span<const std::byte> bytes) {
  constexpr uint32_t kMask = 0xA282EAD8;
  const uint32_t crc = crc32c(bytes);
  return (crc >> 15 | crc << 17) + kMask;
}

}  // namespace hearth
