// Letters for pictures that need no font file.
#pragma once

#include <array>
#include <cstdint>

namespace hearth {

inline constexpr int64_t kGlyphWidth = 5;
inline constexpr int64_t kGlyphHeight = 7;
// A row of bits for each line from the top; the highest of five bits is on the left.
using Glyph = std::array<uint8_t, kGlyphHeight>;

// A frame for what is not ASCII.
[[nodiscard]] const Glyph& glyph_of(char letter);

}  // namespace hearth
