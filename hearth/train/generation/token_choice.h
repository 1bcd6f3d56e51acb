// The next token, drawn from the scores that a model gives all tokens. Needs no LibTorch header.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace hearth {

struct ChoiceRules {
  double temperature = 1;  // 0 takes the most likely token
  std::optional<int64_t> top_k = {};
  std::optional<double> top_p = {};
};

struct TokenShare {
  int64_t token = 0;
  double share = 0;
};

// The tokens that may be drawn, with shares that sum to 1. With a rule that keeps some of them,
// they come most likely first, of equally likely ones the one with the smaller number; otherwise
// in the order of their numbers. A score of minus infinity is never drawn. DataError when scores
// are not numbers, or nothing is left.
[[nodiscard]] std::vector<TokenShare> token_shares(std::span<const float> scores,
                                                   const ChoiceRules& rules);
// The one whose part of [0, 1) a number lies in.
[[nodiscard]] int64_t drawn_token(std::span<const TokenShare> shares, double number);

// Logarithms of the probabilities that scores stand for.
[[nodiscard]] std::vector<double> log_probabilities(std::span<const float> scores);
[[nodiscard]] double log_probability(std::span<const float> scores, int64_t token);

// Scores of these tokens, each once, made worse: those above 0 divided by the penalty, the others
// multiplied.
void penalize(std::span<float> scores, std::span<const int64_t> tokens, double penalty);

// A number of [0, 1) that belongs to a place of a text: the same for the same prompt, sample, seed
// and place, whatever else is computed.
struct DrawKey {
  int64_t seed = 0;
  uint64_t sample = 0;
  std::span<const int64_t> prompt;
};
class TokenDraw {
 public:
  explicit TokenDraw(const DrawKey& key);
  [[nodiscard]] double at(int64_t place) const;

 private:
  uint64_t seed_;
  uint64_t sample_;
};

}  // namespace hearth
