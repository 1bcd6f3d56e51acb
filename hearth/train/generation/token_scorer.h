// Says of sequences of tokens which token comes next. Needs no LibTorch header.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace hearth {

using Tokens = std::vector<int64_t>;
// For each sequence a score for each token: logarithms of probabilities, up to a constant.
using TokenScores = std::vector<std::vector<float>>;

// A sequence with one token more.
struct Extension {
  size_t sequence = 0;  // among those there are
  int64_t token = 0;
};

class TokenScorer {
 public:
  virtual ~TokenScorer() = default;
  // Starts with these sequences; scores of what comes next in each.
  [[nodiscard]] virtual TokenScores begin(const std::vector<Tokens>& sequences) = 0;
  // Puts these in the place of all sequences there are: each one of them with a token more. One may
  // be extended several times, or not at all.
  [[nodiscard]] virtual TokenScores extend(std::span<const Extension> extensions) = 0;
};

}  // namespace hearth
