// The text that pieces of a SentencePiece model stand for.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "hearth/format/sentencepiece.h"

namespace hearth {

// Every token must be one of the model's.
[[nodiscard]] std::string decode_pieces(const SentencePieceModel& model,
                                        std::span<const int32_t> tokens);

}  // namespace hearth
