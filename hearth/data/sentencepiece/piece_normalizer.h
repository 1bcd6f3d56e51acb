// Makes a text ready to be cut into pieces, as a SentencePiece model's rules say.
#pragma once

#include <string>
#include <string_view>

#include "hearth/data/sentencepiece/piece_tree.h"
#include "hearth/format/sentencepiece.h"

namespace hearth {

// What stands for a blank in pieces: U+2581.
inline constexpr std::string_view kBlankPiece = "\xE2\x96\x81";
// What stands for a byte that is not UTF-8: U+FFFD.
inline constexpr std::string_view kReplacementLetter = "\xEF\xBF\xBD";

class PieceNormalizer {
 public:
  // Texts of `kept` stay as they are. Both must live as long.
  PieceNormalizer(const SentencePieceRules& rules, const PieceTree& kept, bool blank_is_suffix)
      : rules_(rules), kept_(kept), blank_is_suffix_(blank_is_suffix) {}

  [[nodiscard]] std::string normalized(std::string_view text) const;

 private:
  struct Step {
    std::string_view text;  // what stands there now
    size_t bytes = 0;       // how many it replaces
  };
  [[nodiscard]] Step step(std::string_view rest) const;
  [[nodiscard]] std::string_view without_leading_blanks(std::string_view text) const;
  [[nodiscard]] std::string_view blank() const;
  void add(std::string_view part, std::string& to) const;

  const SentencePieceRules& rules_;
  const PieceTree& kept_;
  bool blank_is_suffix_ = false;
};

}  // namespace hearth
