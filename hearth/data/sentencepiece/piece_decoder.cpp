// The text that pieces of a SentencePiece model stand for.
#include "hearth/data/sentencepiece/piece_decoder.h"

#include <cstdlib>

#include "hearth/data/sentencepiece/piece_normalizer.h"
#include "hearth/data/unicode.h"

namespace hearth {

namespace {

using Kind = SentencePiece::Kind;

class PieceDecoder {
 public:
  explicit PieceDecoder(const SentencePieceModel& model) : model_(model) {}

  std::string decode(std::span<const int32_t> tokens) {
    for (const int32_t token : tokens) {
      const SentencePiece& piece = model_.pieces[static_cast<size_t>(token)];
      if (piece.kind == Kind::kByte) {
        bytes_ += static_cast<char>(std::strtol(piece.text.c_str() + 1, nullptr, 16));
        continue;
      }
      add_bytes();
      is_at_begin_ = is_at_begin_ && !has_taken_blank_ && text_.empty();
      add(piece);
    }
    add_bytes();
    if (model_.back.map.is_empty()) return std::move(text_);
    return PieceNormalizer(model_.back, PieceTree(), false).normalized(text_);
  }

 private:
  // Bytes in a row are letters of UTF-8.
  void add_bytes() {
    for (size_t i = 0; i < bytes_.size();) {
      const Letter letter = letter_at(bytes_, i);
      text_ +=
          letter.is_valid ? std::string_view(bytes_).substr(i, letter.bytes) : kReplacementLetter;
      i += letter.bytes;
    }
    bytes_.clear();
  }

  void add(const SentencePiece& piece) {
    has_taken_blank_ = false;
    if (piece.kind == Kind::kControl) return;
    if (piece.kind == Kind::kUnknown) {
      text_ += model_.unknown_surface;
      return;
    }
    std::string_view rest = piece.text;
    const SentencePieceRules& rules = model_.rules;
    // The blank that was added before the first word is taken away, all of them where the rules
    // join blanks.
    if (is_at_begin_ && (rules.add_dummy_prefix || rules.remove_extra_whitespaces) &&
        rest.starts_with(kBlankPiece)) {
      rest.remove_prefix(kBlankPiece.size());
      has_taken_blank_ = !rules.remove_extra_whitespaces;
    }
    for (size_t at = rest.find(kBlankPiece); at != std::string_view::npos;
         at = rest.find(kBlankPiece)) {
      text_ += rest.substr(0, at);
      text_ += ' ';
      rest.remove_prefix(at + kBlankPiece.size());
    }
    text_ += rest;
  }

  const SentencePieceModel& model_;
  std::string text_;
  std::string bytes_;
  bool is_at_begin_ = true;
  bool has_taken_blank_ = false;
};

}  // namespace

std::string decode_pieces(const SentencePieceModel& model, std::span<const int32_t> tokens) {
  return PieceDecoder(model).decode(tokens);
}

}  // namespace hearth
