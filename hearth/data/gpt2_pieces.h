// Text cut into the pieces within which GPT-2 merges bytes.
#pragma once

#include <cstddef>
#include <string_view>

namespace hearth {

// Where the piece that begins at `begin` ends. The pieces are those of GPT-2's expression
// 's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
// exactly, by the tables of Unicode 14; bytes that are not UTF-8 are neither letters nor blanks.
[[nodiscard]] size_t gpt2_piece_end(std::string_view text, size_t begin);

}  // namespace hearth
