// What all tokenizers share: being opened with a vocabulary, and the names of tokens.
#include "hearth/data/tokenizer.h"

#include "hearth/base/digest.h"
#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/data/unicode.h"

namespace hearth {

namespace {

bool is_space_at(std::string_view text, size_t place) {
  return is_unicode_space(letter_at(text, place).code);
}

std::string escaped_token_byte(unsigned char byte) {
  constexpr const char* kHex = "0123456789abcdef";
  if (byte == '\n') return "\\n";
  if (byte == '\t') return "\\t";
  return {'\\', 'x', kHex[byte >> 4], kHex[byte & 15]};
}

int hex_value(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
  return -1;
}

}  // namespace

std::unique_ptr<Tokenizer> open_tokenizer(const Choice<Tokenizer>& choice,
                                          const TokenizerText& from) {
  std::unique_ptr<Tokenizer> tokenizer = registry<Tokenizer>().make(choice);
  at_option_of(choice.options(), [&] {
    tokenizer->open();
    if (!from.names.empty())
      tokenizer->use(from.names);
    else
      tokenizer->learn(from.text, from.what);
    if (tokenizer->needs_vocabulary())
      throw ConfigError(
          "The tokens " + quote(choice.name()) +
          " need a vocabulary. Name the text it comes from, " + choice.name() +
          ": {file: train.txt}, or give the text's source `vocabulary: " + choice.name() + "`.");
  });
  return tokenizer;
}

std::string read_token_file(const std::string& file, const std::string& digest) {
  constexpr uint64_t kTokenFileLimitBytes = 256ULL << 20;
  std::string content = read_file(file, kTokenFileLimitBytes);
  if (!digest.empty() && sha256_hex(content) != digest)
    throw DataError(file +
                    " is not the file that this config was made with: its digest says so. Put that "
                    "one back, or set the digest to nothing and take this one.");
  return content;
}

void check_token(int32_t token, size_t count) {
  if (token < 0 || static_cast<size_t>(token) >= count)
    throw DataError("there is no token " + std::to_string(token) + "; the vocabulary has " +
                    std::to_string(count) + ".");
}

void check_unknown_token(const std::vector<std::string>& names) {
  if (names.empty() || names[0] != kUnknownToken)
    throw DataError("the vocabulary is another tokenizer's: its first token is " +
                    (names.empty() ? "missing" : quote(names[0])) + ", but " +
                    quote(kUnknownToken) + " was expected.");
}

std::string token_name(std::string_view bytes) {
  std::string name;
  for (size_t i = 0; i < bytes.size();) {
    const Letter letter = letter_at(bytes, i);
    const bool is_control = letter.code < 0x20 || (letter.code >= 0x7F && letter.code < 0xA0);
    if (letter.is_valid && !is_control)
      name += bytes.substr(i, letter.bytes);
    else
      for (const char byte : bytes.substr(i, letter.bytes))
        name += escaped_token_byte(static_cast<unsigned char>(byte));
    i += letter.bytes;
  }
  return name;
}

std::string token_bytes(std::string_view name) {
  std::string bytes;
  for (size_t i = 0; i < name.size(); ++i) {
    const std::string_view rest = name.substr(i);
    if (rest.starts_with("\\n") || rest.starts_with("\\t")) {
      bytes += rest[1] == 'n' ? '\n' : '\t';
      ++i;
    } else if (rest.size() >= 4 && rest.starts_with("\\x") && hex_value(rest[2]) >= 0 &&
               hex_value(rest[3]) >= 0) {
      bytes += static_cast<char>(hex_value(rest[2]) * 16 + hex_value(rest[3]));
      i += 3;
    } else {
      bytes += name[i];
    }
  }
  return bytes;
}

size_t piece_end(std::string_view text, size_t begin, size_t least) {
  if (text.size() - begin <= least) return text.size();
  for (size_t end = text.find('\n', begin + least);
       end != std::string_view::npos && end + 1 < text.size(); end = text.find('\n', end + 1))
    if (!is_space_at(text, end + 1) && static_cast<unsigned char>(text[end - 1]) < 0x80 &&
        !is_space_at(text, end - 1))
      return end + 1;
  return text.size();
}

}  // namespace hearth
