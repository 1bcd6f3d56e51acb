// Reads GPT-2's vocab.json and merges.txt. There, every byte is written as a character: itself
// where it can be seen, one from 256 on otherwise.
#include "hearth/format/byte_pairs.h"

#include <limits>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/format/json.h"

namespace hearth {

namespace {

bool is_seen_byte(int byte) {
  return (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
}

// The characters of bytes, in UTF-8.
std::array<std::string, 256> byte_characters() {
  std::array<std::string, 256> characters;
  int next = 256;
  for (int byte = 0; byte < 256; ++byte) {
    const int code = is_seen_byte(byte) ? byte : next++;
    std::string& text = characters[static_cast<size_t>(byte)];
    if (code >= 0x80) text += static_cast<char>(0xC0 | code >> 6);
    text += static_cast<char>(code < 0x80 ? code : 0x80 | (code & 0x3F));
  }
  return characters;
}

class BytePairReader {
 public:
  BytePairReader(const NamedText& vocab, const NamedText& merges)
      : vocab_(vocab), merges_(merges), characters_(byte_characters()) {
    for (size_t byte = 0; byte < characters_.size(); ++byte)
      bytes_[characters_[byte]] = static_cast<char>(byte);
  }

  BytePairs read() {
    read_vocab();
    for (size_t byte = 0; byte < characters_.size(); ++byte) {
      const auto found = numbers_.find(characters_[byte]);
      if (found == numbers_.end())
        throw DataError(vocab_.name + ": has no token for the byte " + std::to_string(byte) +
                        ", which GPT-2's form writes as " + quote(characters_[byte]) + ".");
      pairs_.of_byte[byte] = found->second;
    }
    read_merges();
    return std::move(pairs_);
  }

 private:
  void read_vocab() {
    const nlohmann::json vocab = parse_json(vocab_.text, vocab_.name);
    if (!vocab.is_object() || vocab.empty())
      throw DataError(vocab_.name + ": expected a JSON object from tokens to their numbers.");
    pairs_.tokens.resize(vocab.size());
    std::vector<bool> is_taken(vocab.size());
    for (const auto& [token, number] : vocab.items()) {
      const bool fits = number.is_number_unsigned() && number.get<uint64_t>() < vocab.size();
      const size_t place = fits ? number.get<size_t>() : 0;
      if (!fits || is_taken[place] ||
          vocab.size() > static_cast<size_t>(std::numeric_limits<int32_t>::max()))
        throw DataError(vocab_.name + ": the token " + quote(token) + " has the number " +
                        number.dump() + ", but " + std::to_string(vocab.size()) +
                        " tokens must have the numbers from 0 on, each one its own.");
      is_taken[place] = true;
      numbers_[token] = static_cast<int32_t>(place);
      pairs_.tokens[place] = bytes_of(token);
    }
  }

  // What stands for no byte is a token that no text has, such as the end of one: it stays.
  [[nodiscard]] std::string bytes_of(std::string_view token) const {
    std::string bytes;
    for (size_t i = 0; i < token.size();) {
      const size_t length = static_cast<unsigned char>(token[i]) < 0x80 ? 1 : 2;
      const auto found = bytes_.find(std::string(token.substr(i, length)));
      if (found == bytes_.end()) return std::string(token);
      bytes += found->second;
      i += length;
    }
    return bytes;
  }

  void read_merges() {
    int64_t line = 0;
    int32_t rank = 0;
    for (size_t begin = 0; begin < merges_.text.size();) {
      const size_t end = std::min(merges_.text.find('\n', begin), merges_.text.size());
      std::string_view rule = merges_.text.substr(begin, end - begin);
      begin = end + 1;
      ++line;
      if (rule.ends_with('\r')) rule.remove_suffix(1);
      if (rule.empty() || (line == 1 && rule.starts_with("#version"))) continue;
      add_merge(rule, rank++, merges_.name + ":" + std::to_string(line));
    }
  }

  void add_merge(std::string_view rule, int32_t rank, const std::string& place) {
    const size_t blank = rule.find(' ');
    if (blank == std::string_view::npos || blank == 0 || blank + 1 == rule.size() ||
        rule.find(' ', blank + 1) != std::string_view::npos)
      throw DataError(place + ": expected two tokens with a blank between them, but got " +
                      quote(rule) + ".");
    const std::string left(rule.substr(0, blank));
    const std::string right(rule.substr(blank + 1));
    // The first of two equal rules holds.
    pairs_.merges.emplace(pair_key(number_of(left, place), number_of(right, place)),
                          BytePairs::Merge{rank, number_of(left + right, place)});
  }

  [[nodiscard]] int32_t number_of(const std::string& token, const std::string& place) const {
    const auto found = numbers_.find(token);
    if (found == numbers_.end())
      throw DataError(place + ": " + quote(token) + " is not a token of " + vocab_.name + ".");
    return found->second;
  }

  const NamedText& vocab_;
  const NamedText& merges_;
  std::array<std::string, 256> characters_;
  std::unordered_map<std::string, char> bytes_;
  std::unordered_map<std::string, int32_t> numbers_;
  BytePairs pairs_;
};

}  // namespace

BytePairs parse_byte_pairs(const NamedText& vocab, const NamedText& merges) {
  return BytePairReader(vocab, merges).read();
}

}  // namespace hearth
