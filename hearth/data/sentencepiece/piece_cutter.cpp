// The table of pieces, and the two ways of cutting that need no scores.
#include "hearth/data/sentencepiece/piece_cutter.h"

#include <algorithm>

#include "hearth/data/sentencepiece/piece_normalizer.h"

namespace hearth {

namespace {

using Kind = SentencePiece::Kind;

bool is_cut_out(Kind kind) {
  return kind == Kind::kNormal || kind == Kind::kUserDefined || kind == Kind::kUnused;
}

// Whether a blank stands behind something else.
bool has_inner_blank(std::string_view text) {
  while (text.starts_with(kBlankPiece)) text.remove_prefix(kBlankPiece.size());
  return text.find(kBlankPiece) != std::string_view::npos;
}

class WordCutter : public PieceCutter {
 public:
  explicit WordCutter(const PieceTable& table) : table_(table) {}
  void cut(std::string_view text, const TakePiece& take) const override {
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = std::min(text.find(kBlankPiece, begin + 1), text.size());
      const std::string_view word = text.substr(begin, end - begin);
      take(word, table_.token_of(word));
      begin = end;
    }
  }

 private:
  const PieceTable& table_;
};

class LetterCutter : public PieceCutter {
 public:
  explicit LetterCutter(const PieceTable& table) : table_(table) {}
  void cut(std::string_view text, const TakePiece& take) const override {
    for (bool is_whole = false; !text.empty();) {
      const std::string_view letter = text.substr(0, table_.letter_bytes(text, is_whole));
      take(letter, table_.token_of(letter));
      text.remove_prefix(letter.size());
    }
  }

 private:
  const PieceTable& table_;
};

}  // namespace

size_t first_letter_bytes(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  const size_t bytes = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  return std::min(bytes, text.size());
}

size_t blank_word_end(std::string_view text, size_t begin) {
  size_t end = begin;
  while (text.substr(end).starts_with(kBlankPiece)) end += kBlankPiece.size();
  return std::min(text.find(kBlankPiece, end), text.size());
}

PieceTable::PieceTable(const SentencePieceModel& from) : model(from) {
  std::vector<PieceTree::Entry> cut_out;
  std::vector<PieceTree::Entry> user_defined;
  for (size_t i = 0; i < model.pieces.size(); ++i) {
    const SentencePiece& one = model.pieces[i];
    const auto token = static_cast<int32_t>(i);
    if (!is_cut_out(one.kind)) {
      others.emplace(one.text, token);
      continue;
    }
    numbers.emplace(one.text, token);
    cut_out.emplace_back(one.text, token);
    if (one.kind == Kind::kUserDefined) user_defined.emplace_back(one.text, token);
    ends_at_blanks = ends_at_blanks && !has_inner_blank(one.text);
  }
  tree = PieceTree(std::move(cut_out));
  whole = PieceTree(std::move(user_defined));
}

int32_t PieceTable::find(std::string_view text) const {
  const auto found = numbers.find(text);
  return found == numbers.end() ? -1 : found->second;
}

int32_t PieceTable::token_of(std::string_view text) const {
  const auto other = others.find(text);
  if (other != others.end()) return other->second;
  const int32_t token = find(text);
  return token < 0 ? model.unknown : token;
}

size_t PieceTable::letter_bytes(std::string_view rest, bool& is_whole) const {
  const size_t bytes = whole.longest_prefix(rest);
  is_whole = bytes > 0;
  return is_whole ? bytes : first_letter_bytes(rest);
}

std::unique_ptr<PieceCutter> make_piece_cutter(const PieceTable& table) {
  switch (table.model.type) {
    case SentencePieceModel::Type::kUnigram:
      return unigram_cutter(table);
    case SentencePieceModel::Type::kBpe:
      return pair_cutter(table);
    case SentencePieceModel::Type::kWord:
      return std::make_unique<WordCutter>(table);
    case SentencePieceModel::Type::kCharacter:
      break;
  }
  return std::make_unique<LetterCutter>(table);
}

}  // namespace hearth
