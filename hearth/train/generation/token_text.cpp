// Tokens as text while they come.
#include "hearth/train/generation/token_text.h"

#include <algorithm>
#include <utility>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/data/unicode.h"

namespace hearth {
namespace {

// Tokens whose text is written anew with each further one.
constexpr size_t kMostWritten = 32;
// What decoders write for bytes that are no character, or not yet.
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

size_t bytes_of_letter(unsigned char first) {
  if (first >= 0xF0) return first < 0xF5 ? 4 : 1;
  if (first >= 0xE0) return 3;
  return first >= 0xC2 ? 2 : 1;
}

bool knows_others(const Tokenizer& tokenizer) {
  return !tokenizer.names().empty() && tokenizer.names().front() == kUnknownToken;
}

// What of the text has no token: a character, where each has one of its own.
std::string unknown_part(std::string_view text, const std::vector<int32_t>& numbers) {
  std::vector<std::string_view> letters;
  for (size_t i = 0; i < text.size(); i += letters.back().size())
    letters.push_back(text.substr(i, letter_at(text, i).bytes));
  if (letters.size() != numbers.size()) return "a word of it";
  const auto unknown = std::find(numbers.begin(), numbers.end(), 0) - numbers.begin();
  return quote(letters[static_cast<size_t>(unknown)]);
}

// How much of the end of `text` is the beginning of `stop`.
size_t begun(std::string_view text, std::string_view stop) {
  for (size_t length = std::min(text.size(), stop.size() - 1); length > 0; --length)
    if (text.ends_with(stop.substr(0, length))) return length;
  return 0;
}

}  // namespace

bool RunTokenizer::has_text(int64_t token) const {
  const int64_t number = token - first;
  if (number < 0 || number >= static_cast<int64_t>(tokenizer->names().size())) return false;
  return number > 0 || !knows_others(*tokenizer);
}

std::vector<int64_t> RunTokenizer::encode(std::string_view text) const {
  std::vector<int32_t> numbers;
  tokenizer->encode(text, numbers);
  if (knows_others(*tokenizer) && std::count(numbers.begin(), numbers.end(), 0) > 0)
    throw DataError(unknown_part(text, numbers) +
                    " is not in the vocabulary of the run, which has " +
                    std::to_string(tokenizer->names().size() - 1) + " tokens.");
  std::vector<int64_t> tokens;
  if (begin) tokens.push_back(*begin);
  for (const int32_t number : numbers) tokens.push_back(number + first);
  return tokens;
}

std::vector<int64_t> RunTokenizer::encode_whole(std::string_view text) const {
  std::vector<int64_t> tokens = encode(text);
  if (end) tokens.push_back(*end);
  return tokens;
}

std::string RunTokenizer::decode(std::span<const int64_t> tokens) const {
  std::vector<int32_t> numbers;
  for (const int64_t token : tokens)
    if (has_text(token)) numbers.push_back(static_cast<int32_t>(token - first));
  return tokenizer->decode(numbers);
}

size_t whole_characters(std::string_view text) {
  for (size_t back = 1; back <= std::min<size_t>(3, text.size()); ++back) {
    const auto byte = static_cast<unsigned char>(text[text.size() - back]);
    if ((byte & 0xC0U) == 0x80U) continue;  // within a character
    return bytes_of_letter(byte) > back ? text.size() - back : text.size();
  }
  return text.size();
}

TokenText::TokenText(const RunTokenizer& tokenizer, std::span<const int64_t> before)
    : tokenizer_(tokenizer) {
  if (!before.empty()) start_from(before.back());
}

void TokenText::start_from(int64_t token) {
  tokens_ = {token};
  given_ = tokenizer_.decode(tokens_).size();
}

std::string TokenText::add(int64_t token) {
  tokens_.push_back(token);
  const std::string all = tokenizer_.decode(tokens_);
  if (all.ends_with(kReplacement)) return "";
  const size_t whole = whole_characters(all);
  if (whole <= given_) return "";
  std::string piece = all.substr(given_, whole - given_);
  given_ = whole;
  if (whole == all.size() && tokens_.size() > kMostWritten) start_from(token);
  return piece;
}

std::string TokenText::rest() {
  const std::string all = tokenizer_.decode(tokens_);
  std::string piece = all.size() > given_ ? all.substr(given_) : "";
  given_ = all.size();
  return piece;
}

std::string StopWatch::add(std::string_view piece) {
  if (has_stopped_) return "";
  held_ += piece;
  size_t end = held_.size();
  for (const std::string& stop : stops_) end = std::min(end, held_.find(stop));
  has_stopped_ = end < held_.size();
  if (!has_stopped_)
    for (const std::string& stop : stops_) end = std::min(end, held_.size() - begun(held_, stop));
  std::string shown = held_.substr(0, end);
  held_.erase(0, end);
  return shown;
}

std::string StopWatch::rest() { return has_stopped_ ? "" : std::exchange(held_, ""); }

}  // namespace hearth
