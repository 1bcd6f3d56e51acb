// GPT-2's expression by hand: what comes first in it is tried first.
#include "hearth/data/gpt2_pieces.h"

#include <array>

#include "hearth/data/unicode.h"

namespace hearth {

namespace {

enum class PieceKind { kLetter, kNumber, kSpace, kOther };

PieceKind piece_kind(const Letter& letter) {
  if (!letter.is_valid) return PieceKind::kOther;
  if (is_unicode_letter(letter.code)) return PieceKind::kLetter;
  if (is_unicode_number(letter.code)) return PieceKind::kNumber;
  return is_unicode_space(letter.code) ? PieceKind::kSpace : PieceKind::kOther;
}

// The end of a run of one kind, and where its last letter begins.
struct PieceRun {
  size_t last = 0;
  size_t end = 0;
};
PieceRun piece_run(std::string_view text, size_t begin, PieceKind kind) {
  PieceRun run{begin, begin};
  while (run.end < text.size()) {
    const Letter letter = letter_at(text, run.end);
    if (piece_kind(letter) != kind) break;
    run.last = run.end;
    run.end += letter.bytes;
  }
  return run;
}

size_t contraction_bytes(std::string_view text) {
  constexpr std::array<std::string_view, 7> kContractions = {"'s", "'t",  "'re", "'ve",
                                                             "'m", "'ll", "'d"};
  for (const std::string_view contraction : kContractions)
    if (text.starts_with(contraction)) return contraction.size();
  return 0;
}

}  // namespace

size_t gpt2_piece_end(std::string_view text, size_t begin) {
  if (const size_t bytes = contraction_bytes(text.substr(begin))) return begin + bytes;
  const size_t first = begin + (text[begin] == ' ' ? 1 : 0);
  if (first < text.size()) {
    const PieceKind kind = piece_kind(letter_at(text, first));
    if (kind != PieceKind::kSpace) return piece_run(text, first, kind).end;
  }
  // The last blank before something else belongs to that.
  const PieceRun run = piece_run(text, begin, PieceKind::kSpace);
  return run.end == text.size() || run.last == begin ? run.end : run.last;
}

}  // namespace hearth
