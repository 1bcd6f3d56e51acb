// Deflate's bytes, unpacked to a size that is known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace hearth {

// Deflate packs to a thousandth at the very best: what claims more is not worth its memory.
inline constexpr uint64_t kMostDeflateRatio = 1032;

// Fills `into`; whether what was packed ends there. `is_zlib` when zlib's header and checksum are
// around it.
[[nodiscard]] bool inflate_exactly(std::string_view packed, std::span<std::byte> into,
                                   bool is_zlib);

}  // namespace hearth
