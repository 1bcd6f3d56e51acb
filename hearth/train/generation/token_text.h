// Tokens as text while they come. Needs no LibTorch header.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hearth/data/tokenizer.h"

namespace hearth {

// A tokenizer as the data of a run use it: its tokens have the numbers from `first` on.
struct RunTokenizer {
  std::shared_ptr<const Tokenizer> tokenizer;
  int64_t first = 0;
  // Tokens before and behind every text, where the data have them.
  std::optional<int64_t> begin = {};
  std::optional<int64_t> end = {};

  // Whether a number stands for a text of its own; padding and what a vocabulary does not know do
  // not.
  [[nodiscard]] bool has_text(int64_t token) const;
  // Tokens of a text that goes on: with the one before it, but not the one behind. DataError for
  // text that the vocabulary does not know.
  [[nodiscard]] std::vector<int64_t> encode(std::string_view text) const;
  // The same of a whole text, with both.
  [[nodiscard]] std::vector<int64_t> encode_whole(std::string_view text) const;
  // Tokens without text of their own give none.
  [[nodiscard]] std::string decode(std::span<const int64_t> tokens) const;
};

// The bytes of a text that are whole characters: all but those of a last one that has just begun.
[[nodiscard]] size_t whole_characters(std::string_view text);

// What tokens add to a text, in pieces of whole characters.
class TokenText {
 public:
  // After these tokens, whose text is known: how a token is written may depend on the one before.
  TokenText(const RunTokenizer& tokenizer, std::span<const int64_t> before);
  // What is certain by now and was not given before.
  [[nodiscard]] std::string add(int64_t token);
  // What was kept back.
  [[nodiscard]] std::string rest();

 private:
  void start_from(int64_t token);

  const RunTokenizer& tokenizer_;
  std::vector<int64_t> tokens_;
  size_t given_ = 0;  // bytes of their text
};

// Cuts a text at the first of the texts that end it, and holds back what may become one.
class StopWatch {
 public:
  explicit StopWatch(std::vector<std::string> stops) : stops_(std::move(stops)) {}
  // What may be shown of the text with this piece.
  [[nodiscard]] std::string add(std::string_view piece);
  // What was held back; nothing after a stop.
  [[nodiscard]] std::string rest();
  [[nodiscard]] bool has_stopped() const { return has_stopped_; }

 private:
  std::vector<std::string> stops_;
  std::string held_;
  bool has_stopped_ = false;
};

}  // namespace hearth
