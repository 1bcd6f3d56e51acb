// Text as numbers of tokens, and back. One is opened once, then read from many threads.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth {

class Tokenizer {
 public:
  virtual ~Tokenizer() = default;
  // Reads the files it is made of; DataError names the file.
  virtual void open() {}
  // Whether its vocabulary comes from a text: until `learn` or `use` gave it one, there is none.
  [[nodiscard]] virtual bool needs_vocabulary() const { return false; }
  // Takes the vocabulary from the text that its options name, or from this one, which `what` names;
  // nothing happens without any, or where it is made of files.
  virtual void learn(std::string_view /*text*/, const std::string& /*what*/) {}
  // Takes a vocabulary that was learned before: what `names` gave then.
  virtual void use(const std::vector<std::string>& /*names*/) {}

  // Token i as messages and predictions show it; UTF-8 in any case.
  [[nodiscard]] virtual const std::vector<std::string>& names() const = 0;
  // Adds the numbers of the text's tokens to `tokens`. DataError for what has none.
  virtual void encode(std::string_view text, std::vector<int32_t>& tokens) const = 0;
  // Whether parts of a text that end where `encode_long` cuts have the tokens of the whole.
  [[nodiscard]] virtual bool encodes_parts() const { return true; }
  // DataError for a number without a token.
  [[nodiscard]] virtual std::string decode(std::span<const int32_t> tokens) const = 0;
};

// A tokenizer that is open and has its vocabulary: that of `names` unless there are none, or one
// from `text`, which `what` names. With neither, only what needs none can be made: ConfigError.
struct TokenizerText {
  std::string_view text = {};
  std::string what = {};
  std::vector<std::string> names = {};
};
[[nodiscard]] std::unique_ptr<Tokenizer> open_tokenizer(const Choice<Tokenizer>& choice,
                                                        const TokenizerText& from);

// Encodes a long text in pieces, so that no more than one piece's tokens are held beside `take`.
// Pieces end where a line ends between two letters that are no white space; a tokenizer that may
// join what stands there gets the whole text.
template <class Take>
void encode_long(const Tokenizer& tokenizer, std::string_view text, const Take& take);

// A file that tokens are made of. DataError when it is not the one that `digest` names.
[[nodiscard]] std::string read_token_file(const std::string& file, const std::string& digest);
// DataError for a number that is none of `count` tokens.
void check_token(int32_t token, size_t count);

// The first token of a vocabulary that comes from a text: whatever is not in it.
inline constexpr std::string_view kUnknownToken = "<unk>";
// DataError when such a vocabulary has another one there.
void check_unknown_token(const std::vector<std::string>& names);

// How a token is written: itself, with \n, \t, \x1b or \xc3 for bytes that nobody can read.
[[nodiscard]] std::string token_name(std::string_view bytes);
// The bytes that such a name stands for.
[[nodiscard]] std::string token_bytes(std::string_view name);

// The end of a piece of at least `least` bytes from `begin` on.
[[nodiscard]] size_t piece_end(std::string_view text, size_t begin, size_t least);

template <class Take>
void encode_long(const Tokenizer& tokenizer, std::string_view text, const Take& take) {
  const size_t piece_bytes = tokenizer.encodes_parts() ? 1 << 20 : text.size();
  std::vector<int32_t> tokens;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = piece_end(text, begin, piece_bytes);
    tokens.clear();
    tokenizer.encode(text.substr(begin, end - begin), tokens);
    for (const int32_t token : tokens) take(token);
    begin = end;
  }
}

}  // namespace hearth
