// Cuts a normalized text into the pieces of a SentencePiece model.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <unordered_map>

#include "hearth/data/sentencepiece/piece_tree.h"
#include "hearth/format/sentencepiece.h"

namespace hearth {

// What the ways of cutting look pieces up in. Texts belong to the model.
struct PieceTable {
  explicit PieceTable(const SentencePieceModel& model);
  [[nodiscard]] const SentencePiece& piece(int32_t token) const {
    return model.pieces[static_cast<size_t>(token)];
  }
  // The token of a text that a cut may give, or below 0.
  [[nodiscard]] int32_t find(std::string_view text) const;
  // The token of a text: also that of a control or a byte piece, or the unknown one.
  [[nodiscard]] int32_t token_of(std::string_view text) const;
  // The bytes of a piece that the user defined, which is never cut, or of a single letter.
  [[nodiscard]] size_t letter_bytes(std::string_view rest, bool& is_whole) const;

  const SentencePieceModel& model;
  PieceTree tree;                                         // all pieces that a cut may give
  PieceTree whole;                                        // those that the user defined
  std::unordered_map<std::string_view, int32_t> numbers;  // of the tree
  std::unordered_map<std::string_view, int32_t> others;   // control, bytes, unknown
  bool ends_at_blanks = true;  // whether no piece goes on with a blank behind a letter
};

// A piece of the text, and its token.
using TakePiece = std::function<void(std::string_view piece, int32_t token)>;

class PieceCutter {
 public:
  virtual ~PieceCutter() = default;
  // Called from many threads.
  virtual void cut(std::string_view text, const TakePiece& take) const = 0;
};

// The cutter of the model's type.
[[nodiscard]] std::unique_ptr<PieceCutter> make_piece_cutter(const PieceTable& table);
[[nodiscard]] std::unique_ptr<PieceCutter> unigram_cutter(const PieceTable& table);
[[nodiscard]] std::unique_ptr<PieceCutter> pair_cutter(const PieceTable& table);

// The bytes of the letter that a text begins with; those of no letter count by their first byte.
[[nodiscard]] size_t first_letter_bytes(std::string_view text);
// Where the word that begins at `begin` ends: before the next blank that follows a letter.
[[nodiscard]] size_t blank_word_end(std::string_view text, size_t begin);

}  // namespace hearth
