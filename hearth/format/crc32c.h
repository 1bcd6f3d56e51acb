// CRC-32C (Castagnoli), and the masked form that TFRecord files hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace hearth {

[[nodiscard]] uint32_t crc32c(std::span<const std::byte> bytes);
[[nodiscard]] uint32_t masked_crc32c(std::span<const std::byte> bytes);

}  // namespace hearth
