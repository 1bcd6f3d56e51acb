// The longest rule that matches replaces what it matches; then blanks are joined and renamed.
#include "hearth/data/sentencepiece/piece_normalizer.h"

#include "hearth/data/unicode.h"

namespace hearth {

std::string_view PieceNormalizer::blank() const {
  return rules_.escape_whitespaces ? kBlankPiece : std::string_view(" ");
}

PieceNormalizer::Step PieceNormalizer::step(std::string_view rest) const {
  if (const size_t bytes = kept_.longest_prefix(rest); bytes > 0)
    return {rest.substr(0, bytes), bytes};
  const DoubleArray::Match match = rules_.map.longest_prefix(rest);
  if (match.bytes > 0) return {rules_.replacement(match.value), match.bytes};
  const Letter letter = letter_at(rest, 0);
  return {letter.is_valid ? rest.substr(0, letter.bytes) : kReplacementLetter, letter.bytes};
}

std::string_view PieceNormalizer::without_leading_blanks(std::string_view text) const {
  while (!text.empty()) {
    const Step next = step(text);
    if (next.text != " ") break;
    text.remove_prefix(next.bytes);
  }
  return text;
}

void PieceNormalizer::add(std::string_view part, std::string& to) const {
  for (const char byte : part) {
    if (byte == ' ')
      to += blank();
    else
      to += byte;
  }
}

std::string PieceNormalizer::normalized(std::string_view text) const {
  std::string result;
  const bool joins = rules_.remove_extra_whitespaces;
  if (joins) text = without_leading_blanks(text);
  if (text.empty()) return result;
  result.reserve(text.size() + text.size() / 2);
  if (rules_.add_dummy_prefix && !blank_is_suffix_) result += blank();
  bool follows_blank = joins;
  while (!text.empty()) {
    const Step next = step(text);
    std::string_view part = next.text;
    while (follows_blank && part.starts_with(' ')) part.remove_prefix(1);
    if (!part.empty()) follows_blank = joins && part.ends_with(' ');
    add(part, result);
    text.remove_prefix(next.bytes);
  }
  while (joins && result.ends_with(blank())) result.resize(result.size() - blank().size());
  if (rules_.add_dummy_prefix && blank_is_suffix_) result += blank();
  return result;
}

}  // namespace hearth
