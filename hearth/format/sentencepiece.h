// SentencePiece's .model file: pieces with their scores, and how text is made ready for them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hearth/format/double_array.h"

namespace hearth {

struct SentencePiece {
  enum class Kind : uint8_t { kNormal = 1, kUnknown, kControl, kUserDefined, kUnused, kByte };
  std::string text = {};
  float score = 0;
  Kind kind = Kind::kNormal;
};

// What becomes of a text before it is cut: rules from texts to texts, then what becomes of blanks.
struct SentencePieceRules {
  DoubleArray map = {};           // from what is replaced to a place in `replacements`
  std::string replacements = {};  // each ends with a byte 0
  bool add_dummy_prefix = true;
  bool remove_extra_whitespaces = true;
  bool escape_whitespaces = true;
  // The replacement at a place; nothing beyond the end.
  [[nodiscard]] std::string_view replacement(uint32_t place) const;
};

struct SentencePieceModel {
  enum class Type : uint8_t { kUnigram = 1, kBpe, kWord, kCharacter };
  Type type = Type::kUnigram;
  std::vector<SentencePiece> pieces = {};  // token i is the i-th
  int32_t unknown = 0;                     // its token
  std::vector<int32_t> of_byte = {};       // tokens of the 256 bytes when unknown letters have them
  bool blank_is_suffix = false;
  std::string unknown_surface = " \xE2\x81\x87 ";  // what an unknown token decodes to
  std::string begin_piece = "<s>";
  std::string end_piece = "</s>";
  SentencePieceRules rules = {};
  SentencePieceRules back = {};  // applied to decoded text when it has a map
};

// DataError names `what` for bytes that are no such file, and for pieces that contradict each
// other.
[[nodiscard]] SentencePieceModel parse_sentencepiece(std::string_view file,
                                                     const std::string& what);

}  // namespace hearth
